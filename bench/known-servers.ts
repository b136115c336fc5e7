import { mkdirSync } from 'node:fs';
import type { Manifest, RawTool } from '../src/connections/manifest.ts';
import { echoCommand, product } from './product.ts';

export const SERVERS = 50;
export const TOOLS = 2_000;

/** Writes a database as earlier runs leave it: 50 servers that are known with 40 tools each. */
export async function writeKnownServers(home: string): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');
  const { defineServer, fingerprintOf } =
    await product<typeof import('../src/servers/definition.ts')>('servers/definition');
  const { hashManifest } =
    await product<typeof import('../src/connections/manifest.ts')>('connections/manifest');
  await using storage = await openStorage({ kind: 'sqlite', file: `${home}/plugboard.db` });
  const { command, args } = echoCommand();
  for (let index = 0; index < SERVERS; index += 1) {
    const id = `server-${index}`;
    // Each has a command line of its own: equal ones would share a connection.
    // Every tenth has a key: from then on every answer is looked through for it.
    const env: Record<string, string> = index % 10 === 0 ? { API_TOKEN: `canary-${index}-7f3a9c51e2` } : {};
    const endpoint = { kind: 'stdio', command, args: [...args, id], env } as const;
    const definition = defineServer({ id, endpoint });
    const manifest: Omit<Manifest, 'hash'> = {
      server: id,
      fingerprint: fingerprintOf(definition),
      fetchedAt: Date.now(),
      era: 'modern',
      protocolVersion: '2026-07-28',
      serverInfo: { name: id, version: '1.0.0' },
      capabilities: { tools: {} },
      tools: Array.from({ length: TOOLS / SERVERS }, (_, tool) => makeTool(id, tool)),
      resources: [],
      resourceTemplates: [],
      prompts: [],
      problems: [],
    };
    await storage.servers.putServer('local', definition);
    await storage.connections.putManifest('local', { ...manifest, hash: hashManifest(manifest) });
  }
}

/** About 1.2 KB, as tools of well-known servers have on average. */
function makeTool(server: string, index: number): RawTool {
  const property = (name: string): object => ({
    type: 'string',
    description: `The ${name} of the thing that tool ${index} of ${server} works on, as the user wrote it.`,
  });
  const names = ['owner', 'repository', 'branch', 'path', 'query', 'cursor'];
  return {
    name: `get_thing_${index}`,
    title: `Get thing ${index}`,
    description:
      `Looks up thing ${index} of ${server} and answers with everything that is known about it: `.repeat(3),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, property(name)])),
      required: ['owner', 'repository'],
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  } as RawTool; // an object literal of JSON
}
