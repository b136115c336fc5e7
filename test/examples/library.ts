import { openPlugboard } from '../../src/index.ts';

// A hub inside this process. `hub: 'shared'` uses the one that `plug` uses, with the same interface.
await using hub = await openPlugboard();

await hub.servers.add({
  definition: {
    id: 'everything',
    endpoint: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-everything', 'stdio'],
      env: {},
    },
  },
  replace: true,
});

const { tools } = await hub.tools.list();
console.log(`${tools.length} tools, the first is ${tools[0]?.ref}`);

const { result } = await hub.tools.call({ tool: 'everything/echo', args: { message: 'hello' } });
console.log(result['content']);
