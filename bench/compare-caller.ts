import { createInterface } from 'node:readline';
import type { JsonObject } from '../src/base/json.ts';

/**
 * A hub of the checkout that the first argument names, in a process of its own, for compare.ts: each line
 * says through what to call and how many at once, and is answered with the CPU time of a call in microseconds.
 */
const CALLS = 960;
const TEXT = 'The quick brown fox jumps over the lazy dog.';
const [checkout = ''] = process.argv.slice(2);

const { echoCommand, openHubAt, plug, temporaryHome } = await from<typeof import('./product.ts')>('product');
const { openBarePool } = await from<typeof import('./bare-pool.ts')>('bare-pool');
using home = temporaryHome();
const { command, args } = echoCommand();
plug(home.path, 'add', 'echo', '--yes', '--', command, ...args);
plug(home.path, 'trust', 'echo', '--yes');
plug(home.path, 'hub', 'stop');
await using hub = await openHubAt(home.path);
await using pool = await openBarePool(home.path);
await hub.tools.list({ server: 'echo' });

const through: Readonly<Record<string, () => Promise<JsonObject>>> = {
  hub: async () => (await hub.tools.call({ tool: 'echo/echo', args: { text: TEXT } })).result,
  connection: () => pool.call('echo', { text: TEXT }),
};

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', atOnce = ''] = line.split(' ');
  const call = through[name];
  if (!call) throw new Error(`There is no way ${name}.`);
  const before = process.cpuUsage();
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      if (!Array.isArray((await call())['content'])) throw new Error('The echo did not come back.');
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, worker));
  // Records reach the database in batches: what still waits is stored within the round that made it.
  if (name === 'hub') await hub.audit.query({ limit: 1 });
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${(user + system) / CALLS}\n`);
}

async function from<T>(name: string): Promise<T> {
  return (await import(`${checkout}/bench/${name}.ts`)) as T; // the caller names the type of that module
}
