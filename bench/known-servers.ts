import { mkdirSync } from 'node:fs';
import type { Manifest, RawTool } from '../src/connections/manifest.ts';
import { echoCommand, product } from './product.ts';

export const SERVERS = 50;
export const TOOLS = 2_000;

export interface KnownServersOptions {
  readonly servers?: number;
  readonly tools?: number;
  /** What was worked out of the manifests: hashes, flags, tokens. Without it, it has to be done anew. */
  readonly facts?: boolean;
}

/**
 * Writes a database as earlier runs leave it: 50 servers that are known with 40 tools each, every
 * second one trusted, which pins its tools.
 */
export async function writeKnownServers(
  home: string,
  { servers = SERVERS, tools = TOOLS, facts = true }: KnownServersOptions = {},
): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');
  const { defineServer, fingerprintOf } =
    await product<typeof import('../src/servers/definition.ts')>('servers/definition');
  const { hashManifest } =
    await product<typeof import('../src/connections/manifest.ts')>('connections/manifest');
  const { hashTool, pinnedText } = await product<typeof import('../src/catalog/pin.ts')>('catalog/pin');
  const { FACT_RULES, fixedFacts } = await product<typeof import('../src/catalog/facts.ts')>('catalog/facts');
  await using storage = await openStorage({ kind: 'sqlite', file: `${home}/plugboard.db` });
  const { command, args } = echoCommand();
  for (let index = 0; index < servers; index += 1) {
    const id = `server-${index}`;
    // Each has a command line of its own: equal ones would share a connection.
    // Every tenth has a key: from then on every answer is looked through for it.
    const env: Record<string, string> = index % 10 === 0 ? { API_TOKEN: `canary-${index}-7f3a9c51e2` } : {};
    const endpoint = { kind: 'stdio', command, args: [...args, id], env } as const;
    const definition = defineServer({ id, endpoint });
    const fingerprint = fingerprintOf(definition);
    const manifest: Omit<Manifest, 'hash'> = {
      server: id,
      fingerprint,
      fetchedAt: Date.now(),
      era: 'modern',
      protocolVersion: '2026-07-28',
      serverInfo: { name: id, version: '1.0.0' },
      capabilities: { tools: {} },
      tools: Array.from({ length: tools / servers }, (_, tool) => makeTool(id, tool)),
      resources: [],
      resourceTemplates: [],
      prompts: [],
      problems: [],
    };
    const manifestHash = hashManifest(manifest);
    await storage.servers.putServer('local', definition);
    await storage.connections.putManifest('local', { ...manifest, hash: manifestHash });
    const hashed = manifest.tools.map((tool) => ({ name: tool.name, tool, hash: hashTool(tool) }));
    if (facts) {
      const known = hashed.map(({ name, tool, hash }) => ({
        name,
        hash,
        flags: [],
        ...fixedFacts(tool, id),
        tokens: 310,
      }));
      await storage.tools.putFacts('local', { server: id, manifestHash, rules: FACT_RULES, tools: known });
    }
    if (index % 2 === 1) continue;
    const trustedAt = Date.now();
    await storage.policy.putServerTrust('local', { server: id, fingerprint, trustedAt, source: 'you' });
    await storage.tools.putPins(
      'local',
      hashed.map(({ name, tool, hash }) => ({
        server: id,
        tool: name,
        hash,
        definition: pinnedText(tool),
        pinnedAt: trustedAt,
      })),
    );
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
