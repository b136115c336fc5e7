import type { Manifest } from '../src/connections/manifest.ts';
import { report } from './figure.ts';
import { writeKnownServers } from './known-servers.ts';
import { cpuOf, median } from './measure.ts';
import { product, temporaryHome } from './product.ts';

/** What it costs to know 10,000 tools again after a start: from manifests and facts that are kept. */
const SERVERS = 100;
const TOOLS = 10_000;
const ROUNDS = 9;
const OWNER = 'local';

using home = temporaryHome();
await writeKnownServers(home.path, { servers: SERVERS, tools: TOOLS });
const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');
const { Catalog } = await product<typeof import('../src/catalog/catalog.ts')>('catalog/catalog');
const { Facts } = await product<typeof import('../src/catalog/facts.ts')>('catalog/facts');
const { Tombstones } = await product<typeof import('../src/catalog/tombstones.ts')>('catalog/tombstones');
const { KnownNames } = await product<typeof import('../src/catalog/look-alike.ts')>('catalog/look-alike');
const { ToolSettings } =
  await product<typeof import('../src/catalog/tool-settings.ts')>('catalog/tool-settings');
const { TaskGroup } = await product<typeof import('../src/base/tasks.ts')>('base/tasks');
const { silentLogger } = await product<typeof import('../src/base/logger.ts')>('base/logger');
const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');

await using storage = await openStorage({ kind: 'sqlite', file: `${home.path}/plugboard.db` });
const tasks = new TaskGroup(silentLogger);
const store = storage.tools;
const definitions = new Map(
  (await storage.servers.listServers(OWNER)).map((definition) => [definition.id, definition]),
);
const trusted = new Set((await storage.policy.listServerTrust(OWNER)).map(({ server }) => server));

/** Rounds with and without facts take turns, so that neither has the warmer code. */
const times = { kept: [] as number[], anew: [] as number[], manifests: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  let manifests: readonly Manifest[] = [];
  times.manifests.push(await cpuOf(async () => (manifests = await storage.connections.listManifests(OWNER))));
  times.kept.push(await cpuOf(() => build(manifests, true)));
  times.anew.push(await cpuOf(() => build(manifests, false)));
}
await tasks.close();
const milliseconds = (each: readonly number[]): number => median(each) / 1000;
const floor = milliseconds(times.manifests);
report([
  {
    name: '10,000 tools built from stored manifests, CPU, against reading them',
    unit: 'ms',
    measured: floor + milliseconds(times.kept),
    floor,
    target: { max: 300 },
  },
  {
    name: 'the same when hashes and flags have to be worked out anew',
    unit: 'ms',
    measured: floor + milliseconds(times.anew),
    floor,
  },
]);

async function build(manifests: readonly Manifest[], kept: boolean): Promise<void> {
  // What is worked out anew is kept in the background; here it costs as little as it can.
  await using nothing = await openStorage({ kind: 'memory' });
  const others = new KnownNames(() =>
    manifests.map(({ server, tools }) => ({ id: server, tools: tools.map(({ name }) => name) })),
  );
  const facts = new Facts({
    store: kept ? store : nothing.tools,
    owner: OWNER,
    tasks,
    count: (_server, tools) => Promise.resolve(tools.map(() => undefined)),
    context: (server, { tools }) => ({ server, tools: new Set(tools.map(({ name }) => name)), others }),
  });
  const settings = new ToolSettings({ store, owner: OWNER, clock });
  const tombstones = new Tombstones({ store, owner: OWNER, clock, tasks });
  await Promise.all([facts.load(), settings.load(), tombstones.load()]);
  const catalog = new Catalog({ facts, settings, tombstones });
  let count = 0;
  for (const manifest of manifests) {
    const definition = definitions.get(manifest.server);
    if (!definition) throw new Error(`There is no server ${manifest.server}.`);
    const server = { key: manifest.server, definition, trusted: trusted.has(manifest.server) };
    count += catalog.offered(server, manifest).tools.length;
  }
  if (count !== TOOLS) throw new Error(`The catalog offers ${count} tools.`);
}
