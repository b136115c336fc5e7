/**
 * A program on the built library: `node 06-closing-program.ts HOME ENDPOINT`. Five times it opens a hub,
 * calls, asks for the audit, and closes in the middle. Then it says how many rejections nobody heard.
 */
import { openHub } from '../../dist/hub/open-hub.js';
import { defineServer } from '../../dist/servers/definition.js';

const [home = '', endpoint = ''] = process.argv.slice(2);
let unhandled = 0;
/** Of calls that did not end as their server said. */
const codes: Record<string, number> = {};
process.on('unhandledRejection', (reason) => {
  unhandled += 1;
  console.error(reason);
});

for (let round = 0; round < 5; round += 1) {
  const hub = await openHub({
    paths: { config: home, data: home, state: home },
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, PLUG_HOME: home, PLUG_NO_KEYRING: '1' },
    version: '0.0.0-test',
  });
  if (round === 0) {
    await hub.servers.add({
      definition: defineServer({ id: 'counted', endpoint: JSON.parse(endpoint) as never }),
    });
  }
  const call = (n: string, ms: number): Promise<unknown> =>
    hub.tools.call({ tool: 'counted/create_one', args: { n, ms } }).catch((error: unknown) => {
      const { code } = error as { readonly code: string }; // every failure has one
      codes[code] = (codes[code] ?? 0) + 1;
    });
  await call(`${round}-awake`, 1);
  const calls = Array.from({ length: 40 }, (_, index) =>
    call(`${round}-${index}`, index % 4 === 0 ? 5_000 : 5),
  );
  const asked = hub.audit.query().catch(() => undefined);
  await new Promise((resolve) => void setTimeout(resolve, round * 4));
  await hub.close();
  await Promise.all([...calls, asked]);
}
await new Promise((resolve) => void setTimeout(resolve, 200));
console.log(JSON.stringify({ unhandled, codes }));
process.exit(0);
