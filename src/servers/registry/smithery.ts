import { defined } from '../../base/defined.ts';
import { type JsonObject, isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { JsonClient, type RegistryOptions, readOne, readPage } from './_json.ts';
import type { Registry } from './registry.ts';
import { DESCRIPTION_CHARS_MAX, type ReadDocument } from './document.ts';
import type { RegistryEntry, RegistryPackage, RegistryRemote } from './entry.ts';
import { objectsOf, restOf, shortTextOf, filledText, timeOf } from './_read.ts';

/** Searches by meaning, so it is asked each time and never copied. */
export function smitheryRegistry(options: RegistryOptions): Registry {
  const { name, limits } = options;
  const client = new JsonClient(options);
  const base = options.url.replace(/\/+$/, '');
  return {
    name,
    kind: 'smithery',
    url: options.url,
    search: async (query, { limit, signal }) => {
      const url = new URL(`${base}/servers`);
      url.searchParams.set('q', query);
      url.searchParams.set('page', '1');
      url.searchParams.set('pageSize', String(Math.min(limit, limits.registryPageSize)));
      const { entries, problems } = readPage(await client.get(url, signal), name, readSmithery);
      return { entries: entries.slice(0, limit), problems };
    },
    details: async (server, { signal } = {}) => {
      const path = server.split('/').map(encodeURIComponent).join('/');
      const document = await client.get(new URL(`${base}/servers/${path}`), signal);
      return { ...readOne(document, name, server, readSmithery), detail: 'full' };
    },
  };
}

export function readSmithery(document: unknown, registry: string): ReadDocument {
  if (!isObject(document)) return { kind: 'bad', name: '?', reason: 'it is not an object' };
  const name = shortTextOf(document['qualifiedName']);
  if (name === undefined || name.length > limits.serverNameCharsMax || !/^[\w@][\w .@/+~-]*$/.test(name))
    return { kind: 'bad', name: JSON.stringify(name ?? '?').slice(0, 80), reason: 'it has no usable name' };
  if (JSON.stringify(document).length > limits.registryEntryBytesMax * 4)
    return { kind: 'bad', name, reason: 'it is too large' };
  const connections = objectsOf(document['connections']);
  const full = Array.isArray(document['connections']);
  const repository = repositoryOf(document);
  const entry: RegistryEntry = {
    registry,
    kind: 'smithery',
    name,
    description: (filledText(document['description']) ?? '').slice(0, DESCRIPTION_CHARS_MAX),
    status: 'active',
    isLatest: true,
    verified: document['verified'] === true || document['isVerified'] === true,
    useCount: countOf(document['useCount']),
    packages: connections.flatMap(readBundle),
    remotes: connections.flatMap((connection) =>
      readHttp(connection, shortTextOf(document['deploymentUrl'])),
    ),
    detail: full ? 'full' : 'listed',
    ...defined({
      title: shortTextOf(document['displayName']),
      updatedAt: timeOf(document['updatedAt']) ?? timeOf(document['createdAt']),
      websiteUrl: shortTextOf(document['homepage']),
      repository: repository === undefined ? undefined : { url: repository },
    }),
    extra: restOf(document, KNOWN),
  };
  return { kind: 'ok', entry };
}

const KNOWN = [
  'qualifiedName displayName description verified isVerified useCount connections deploymentUrl updatedAt',
  'createdAt homepage repository repositoryUrl sourceUrl tools resources prompts',
].flatMap((names) => names.split(' '));

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

function repositoryOf(document: Record<string, unknown>): string | undefined {
  const { repository } = document;
  const named = isObject(repository) ? repository['url'] : repository;
  const homepage = shortTextOf(document['homepage']);
  const code = homepage !== undefined && /^https:\/\/(github|gitlab)\.com\//.test(homepage);
  return (
    shortTextOf(named) ??
    shortTextOf(document['repositoryUrl']) ??
    shortTextOf(document['sourceUrl']) ??
    (code ? homepage : undefined)
  );
}

function readHttp(connection: Record<string, unknown>, whole: string | undefined): readonly RegistryRemote[] {
  const type = shortTextOf(connection['type']);
  const url = shortTextOf(connection['deploymentUrl']) ?? shortTextOf(connection['url']) ?? whole;
  if (type === 'stdio' || url === undefined) return [];
  return [
    {
      kind: type === 'sse' ? 'sse' : 'http',
      url: withPath(url),
      headers: [],
      variables: {},
      ...defined({ configSchema: schemaOf(connection) }),
      extra: restOf(connection, ['type', 'deploymentUrl', 'url', 'configSchema']),
    },
  ];
}

/** The MCP endpoint of a deployment is /mcp. */
function withPath(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (!/^\/?$/.test(parsed.pathname)) return url;
  parsed.pathname = '/mcp';
  return parsed.href;
}

function readBundle(connection: Record<string, unknown>): readonly RegistryPackage[] {
  const bundle = shortTextOf(connection['bundleUrl']);
  if (shortTextOf(connection['type']) !== 'stdio' || bundle === undefined) return [];
  return [
    {
      type: 'mcpb',
      identifier: bundle,
      runtimeArguments: [],
      packageArguments: [],
      environment: [],
      transport: { kind: 'stdio' },
      ...defined({
        sha256: shortTextOf(connection['bundleSha256'])?.toLowerCase(),
        runtimeHint: shortTextOf(connection['runtime']),
        configSchema: schemaOf(connection),
      }),
      extra: restOf(connection, ['type', 'bundleUrl', 'bundleSha256', 'runtime', 'configSchema']),
    },
  ];
}

function schemaOf(connection: Record<string, unknown>): JsonObject | undefined {
  const schema = connection['configSchema'];
  return isObject(schema) && Object.keys(schema).length > 0 ? (schema as JsonObject) : undefined; // parsed from JSON
}
