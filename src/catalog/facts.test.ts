import { expect, test } from 'vitest';
import { systemClock as clock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { TaskGroup } from '../base/tasks.ts';
import { hashManifest, type Manifest, type RawTool } from '../connections/manifest.ts';
import { defineServer } from '../servers/definition.ts';
import { Catalog, type CatalogTool } from './catalog.ts';
import { FACT_RULES, Facts } from './facts.ts';
import { Tombstones } from './tombstones.ts';
import { KnownNames } from './look-alike.ts';
import type { ManifestFacts, ToolStore } from './store.ts';
import { ToolSettings } from './tool-settings.ts';

/** Keeps facts as a database does: as text. */
class Store implements ToolStore {
  kept = new Map<string, string>();
  listPins = async (): Promise<readonly []> => [];
  putPins = async (): Promise<void> => undefined;
  deletePins = async (): Promise<number> => 0;
  listToolOverrides = async (): Promise<readonly []> => [];
  putToolOverride = async (): Promise<void> => undefined;
  listFacts = async (): Promise<readonly ManifestFacts[]> =>
    [...this.kept.values()].map((text) => JSON.parse(text) as ManifestFacts); // put there below
  putFacts = async (_owner: string, facts: ManifestFacts): Promise<void> =>
    void this.kept.set(facts.server, JSON.stringify(facts));
  listTombstones = async (): Promise<readonly []> => [];
  putTombstones = async (): Promise<void> => undefined;
  deleteTombstones = async (): Promise<void> => undefined;
  forgetServer = async (): Promise<void> => undefined;
}

const TOOLS = [
  { name: 'get_page', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'fetch', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'delete_page', description: 'Removes it.', inputSchema: { type: 'object' } },
  { name: 'bare', inputSchema: { city: { type: 'string' } } },
  { name: 'hopeless', inputSchema: { type: 'string' } },
  { name: 'hid\u200bden', inputSchema: { type: 'object' } },
] as const satisfies readonly RawTool[];

const bare: Omit<Manifest, 'hash'> = {
  server: 'wiki',
  fingerprint: 'f',
  fetchedAt: 1,
  era: 'modern',
  protocolVersion: '2026-07-28',
  serverInfo: { name: 'wiki', version: '1' },
  capabilities: {},
  tools: TOOLS,
  resources: [],
  resourceTemplates: [],
  prompts: [],
  problems: [],
};
const manifest: Manifest = { ...bare, hash: hashManifest(bare) };

async function entriesFrom(store: Store, trusted: boolean): Promise<readonly CatalogTool[]> {
  const tasks = new TaskGroup(silentLogger);
  const owner = 'local';
  const others = new KnownNames(() => []);
  const facts = new Facts({
    store,
    owner,
    tasks,
    count: async (_server, tools) => tools.map(() => 7),
    context: (server) => ({ server, tools: new Set(TOOLS.map(({ name }) => name)), others }),
  });
  await facts.load();
  const settings = new ToolSettings({ store, owner, clock });
  const catalog = new Catalog({
    facts,
    settings,
    tombstones: new Tombstones({ store, owner, clock, tasks }),
  });
  const definition = defineServer({
    id: 'wiki',
    endpoint: { kind: 'stdio', command: 'wiki', args: [], env: {} },
  });
  const entries = catalog.entries({ key: 'wiki', definition, trusted }, manifest);
  await tasks.close();
  return entries;
}

test('a tool is known the same way after a restart as when it was first seen, trusted or not', async () => {
  for (const trusted of [true, false]) {
    const store = new Store();
    const first = await entriesFrom(store, trusted);
    expect(store.kept.size).toBe(1);
    expect(await entriesFrom(store, trusted)).toEqual(first);
    // What was worked out for one is right for the other too.
    expect(await entriesFrom(store, !trusted)).toEqual(await entriesFrom(new Store(), !trusted));
    const risks = Object.fromEntries(first.map(({ tool }) => [tool.name, tool.risk]));
    expect(risks).toMatchObject({ get_page: 'read', delete_page: 'destructive' });
    const withheld = first.filter(({ withheld: why }) => why).map(({ tool }) => tool.name);
    expect(withheld).toEqual(['hopeless']);
    expect(first.find(({ tool }) => tool.name === 'bare')?.tool.repairs).toHaveLength(1);
    expect(first.find(({ tool }) => tool.name === 'hid\u200bden')?.tool.flags).not.toEqual([]);
  }
});

test('facts of an earlier version are worked out anew; only the count of tokens stays', async () => {
  const store = new Store();
  await entriesFrom(store, false);
  const known = JSON.parse(store.kept.get('wiki') ?? '') as ManifestFacts; // put there above
  const { rules: _rules, ...old } = known;
  const tools = known.tools.map(({ name, hash }) => ({ name, hash, flags: [], tokens: 7 }));
  await store.putFacts('local', { ...old, tools });
  const entries = await entriesFrom(store, false);
  expect(entries.find(({ tool }) => tool.name === 'hid\u200bden')?.tool.flags).not.toEqual([]);
  expect(entries.map(({ tool }) => tool.tokens)).toEqual(TOOLS.map(() => 7));
  expect(JSON.parse(store.kept.get('wiki') ?? '')).toMatchObject({ rules: FACT_RULES });
});
