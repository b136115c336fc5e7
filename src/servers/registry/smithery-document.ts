import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ReadDocument } from './document.ts';
import type { RegistryEntry, RegistryPackage, RegistryRemote } from './entry.ts';
import { defined, objectsOf, restOf, shortTextOf, textOf, timeOf } from './_read.ts';

/** Reads one server of Smithery's list, or its details, which have `connections`. */
export function readSmithery(document: unknown, registry: string): ReadDocument {
  if (!isObject(document)) return { kind: 'bad', name: '?', reason: 'it is not an object' };
  const name = shortTextOf(document['qualifiedName']);
  if (name === undefined || name.length > limits.serverNameCharsMax || !/^[\w@][\w .@/+~-]*$/.test(name)) {
    return { kind: 'bad', name: JSON.stringify(name ?? '?').slice(0, 80), reason: 'it has no usable name' };
  }
  if (JSON.stringify(document).length > limits.registryEntryBytesMax * 4) {
    return { kind: 'bad', name, reason: 'it is too large' };
  }
  const connections = objectsOf(document['connections']);
  const full = Array.isArray(document['connections']);
  const repository = repositoryOf(document);
  const entry: RegistryEntry = {
    registry,
    kind: 'smithery',
    name,
    description: (textOf(document['description']) ?? '').slice(0, 2_000),
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

/** Smithery gives the address of the deployment; its MCP endpoint is /mcp. */
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
