import { join } from 'node:path';
import { limits } from '../src/base/limits.ts';
import { systemClock } from '../src/base/clock.ts';
import type { RegistryEntry } from '../src/servers/registry/entry.ts';
import { officialRegistry } from '../src/servers/registry/official.ts';
import { searchRegistries } from '../src/servers/registry/search.ts';
import { openStorage, type Storage } from '../src/storage/open.ts';
import { report } from './figure.ts';
import { median, wallOf } from './measure.ts';
import { temporaryHome } from './product.ts';

/** How soon the local index of 10,000 servers answers, from rare words to words that all of them hold. */
const SERVERS = 10_000;
const ROUNDS = 15;
const OWNER = 'local';
const QUERIES = {
  'one rare word': 'quetzal',
  'two words': 'calendar events',
  'a beginning': 'data',
  'a beginning of every name': 'maker',
  everything: 'mcp server',
} as const;

const WORDS = (
  'calendar events mail notes tasks files search database graph weather maps music payments invoices deploy ' +
  'logs metrics alerts tickets issues code review design slides sheets charts crawl browser vector memory agent'
).split(' ');

using home = temporaryHome();
await using storage = await openStorage({ kind: 'sqlite', file: join(home.path, 'registry.db') });
await storage.registry.putEntries(OWNER, makeEntries(), systemClock.now());
await storage.registry.putSync(OWNER, {
  registry: 'official',
  url: 'https://registry.invalid',
  completedAt: systemClock.now(),
});
const figures = [];
for (const [what, query] of Object.entries(QUERIES)) {
  figures.push({
    name: `search ${SERVERS} servers: ${what}`,
    unit: 'ms' as const,
    measured: await measure(storage, query),
    target: { max: 20 },
  });
}
report(figures);

async function measure(storage: Storage, query: string): Promise<number> {
  const registry = officialRegistry({
    name: 'official',
    url: 'https://registry.invalid',
    clock: systemClock,
    limits,
    fetch: () => Promise.reject(new Error('A fresh index asks nobody.')),
  });
  const search = async (): Promise<void> => {
    const options = {
      registries: [registry],
      store: storage.registry,
      owner: OWNER,
      clock: systemClock,
      limits,
    };
    const { results } = await searchRegistries(query, { ...options, limit: 20 });
    if (results.length === 0) throw new Error(`“${query}” found nothing.`);
  };
  await search();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) samples.push(await wallOf(search));
  return median(samples);
}

/** Names, packages and descriptions of the usual length; drawn in turn, so that every run is the same. */
function makeEntries(): readonly RegistryEntry[] {
  return Array.from({ length: SERVERS }, (_, index) => {
    const word = (step: number): string => WORDS[(index * step + (index >> 5)) % WORDS.length] ?? '';
    const name = `io.github.maker${index % 1_500}/${word(1)}-${word(7)}-mcp-${index}`;
    return {
      registry: 'official',
      kind: 'official',
      name,
      description: `MCP server for ${word(3)} and ${word(5)}${index % 2_000 === 0 ? ' of the quetzal' : ''}, with ${word(11)}.`,
      version: '1.0.0',
      status: 'active',
      isLatest: true,
      verified: index % 50 === 0,
      useCount: 0,
      packages: [
        {
          type: 'npm',
          identifier: `@maker${index % 1_500}/${word(1)}-${index}`,
          version: '1.0.0',
          runtimeArguments: [],
          packageArguments: [],
          environment: [{ name: 'API_KEY', required: true, secret: true, format: 'string', variables: {} }],
          transport: { kind: 'stdio' },
          extra: {},
        },
      ],
      remotes: [],
      detail: 'full',
      extra: {},
    } satisfies RegistryEntry;
  });
}
