import { openBarePool } from './bare-pool.ts';
import { report, type Figure } from './figure.ts';
import { LineClient } from './line-client.ts';
import { cpuOf, interleave } from './measure.ts';
import { echoCommand, openHubAt, product, temporaryHome } from './product.ts';

/**
 * What a call costs this process: through the hub, where it is resolved, checked, decided, capped and
 * recorded; on its connection alone; and by a client written by hand.
 */
const ROUNDS = 41;
const CALLS = 960;
const TEXT = 'The quick brown fox jumps over the lazy dog.';

using home = temporaryHome();
await using hub = await openHubAt(home.path);
await using floor = new LineClient(echoCommand());
const { defineServer } = await product<typeof import('../src/servers/definition.ts')>('servers/definition');
await using pool = await openBarePool(home.path);
await hub.servers.add({
  definition: defineServer({ id: 'echo', endpoint: { kind: 'stdio', ...echoCommand(), env: {} } }),
});
await hub.tools.list({ server: 'echo' });
await hub.servers.trust({ id: 'echo' });

const throughHub = async (): Promise<void> => {
  const { result } = await hub.tools.call({ tool: 'echo/echo', args: { text: TEXT } });
  if (!Array.isArray(result['content'])) throw new Error('The echo did not come back.');
};
const onConnection = async (): Promise<void> => {
  const result = await pool.call('echo', { text: TEXT });
  if (!Array.isArray(result['content'])) throw new Error('The echo did not come back.');
};
const byHand = async (): Promise<void> => {
  const result = await floor.call('echo', { text: TEXT });
  if (!Array.isArray(result['content'])) throw new Error('The echo did not come back.');
};

const figures: Figure[] = [];
for (const atOnce of [1, 32]) {
  const perCall = async (call: () => Promise<void>, after?: () => Promise<unknown>): Promise<number> => {
    const spent = await cpuOf(async () => {
      await callMany(call, atOnce);
      await after?.();
    });
    return spent / CALLS;
  };
  // Records reach the database in batches: what still waits is stored within the round that made it.
  const stored = (): Promise<unknown> => hub.audit.query({ limit: 1 });
  const cost = await interleave(
    {
      hub: () => perCall(throughHub, stored),
      connection: () => perCall(onConnection),
      floor: () => perCall(byHand),
    },
    { rounds: ROUNDS, warmUps: 6 },
  );
  figures.push(
    {
      name: `call on a connection of the hub, CPU, ${atOnce} at once`,
      unit: 'µs',
      measured: cost.connection,
      floor: cost.floor,
      target: { ratioMax: 1.5 },
    },
    // With the decision and the record, which a hand-written client does not make.
    {
      name: `call through the hub, CPU, ${atOnce} at once`,
      unit: 'µs',
      measured: cost.hub,
      floor: cost.floor,
      target: { ratioMax: 1.5 },
    },
    {
      name: `what deciding and recording add to it, ${atOnce} at once`,
      unit: 'µs',
      measured: cost.hub - cost.connection,
      target: { max: 60 },
    },
  );
}
report(figures);

async function callMany(call: () => Promise<void>, atOnce: number): Promise<void> {
  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
