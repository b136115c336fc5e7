import { expect } from 'vitest';
import { defineServer, openPlugboard, PlugError, type Hub, type HubEvent } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { yesToAll } from '../yes-to-all.ts';

async function open(): Promise<Hub> {
  const home = temporaryFolder();
  return openPlugboard({ home, cwd: home, storage: { kind: 'memory' }, approve: yesToAll });
}

verifies(['B1'], 'a program plugs in a server, lists, calls, reads, and gets events, all typed', async () => {
  await using plugboard = await open();
  const events: HubEvent[] = [];
  const watching = (async () => {
    for await (const event of plugboard.watch()) events.push(event);
  })();
  const { command, args } = stdioFixture('dual');
  const { summary } = await plugboard.servers.add(
    defineServer({ id: 'demo', endpoint: { kind: 'stdio', command, args, env: {} } }),
  );
  expect(summary).toMatch(/^Connected to Fixture server, \d+ tools including echo, add, env\.$/);
  const { tools } = await plugboard.tools.list();
  expect(tools.map((tool) => tool.ref)).toContain('demo/echo');
  const { result, isError } = await plugboard.tools.call({ tool: 'demo/echo', args: { message: 'hi' } });
  expect(isError).toBe(false);
  expect(result['content']).toEqual([{ type: 'text', text: 'hi' }]);
  const { resources } = await plugboard.resources.list({ server: 'demo' });
  expect(resources.length).toBeGreaterThan(0);
  const { prompts } = await plugboard.prompts.list({ server: 'demo' });
  expect(prompts.length).toBeGreaterThan(0);
  await plugboard.close();
  await watching;
  expect(events.map((event) => event.kind)).toEqual(
    expect.arrayContaining(['server-state', 'manifest-change']),
  );
});

verifies(['B1'], 'a failure is one kind of error, with its owner and the next step', async () => {
  await using plugboard = await open();
  const failure = await plugboard.tools.call({ tool: 'none/such' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PlugError);
  expect(failure).toMatchObject({ code: 'not_found', owner: 'you', next: 'plug list' });
});

verifies(
  ['B1'],
  'the same program works on the user’s shared hub, which starts by itself',
  async () => {
    const home = temporaryFolder();
    const env = { ...process.env, PLUG_HOME: home };
    const shared = await openPlugboard({ hub: 'shared', env, cwd: home });
    try {
      const { command, args } = stdioFixture('modern');
      await shared.servers.add(
        defineServer({ id: 'demo', endpoint: { kind: 'stdio', command, args, env: {} } }),
      );
      await shared.grants.add({ tool: 'demo/echo' });
      const second = await openPlugboard({ hub: 'shared', env, cwd: home });
      const { result } = await second.tools.call({ tool: 'demo/echo', args: { message: 'shared' } });
      expect(result['content']).toEqual([{ type: 'text', text: 'shared' }]);
      expect((await second.status()).pid).not.toBe(process.pid);
    } finally {
      const { pid } = await shared.status();
      process.kill(pid, 'SIGTERM');
      await shared.close();
    }
  },
  30_000,
);
