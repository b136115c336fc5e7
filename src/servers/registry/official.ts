import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import { readDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';
import { JsonClient } from './_json.ts';
import { textOf } from './_read.ts';
import type { FetchPort, ListQuery, Registry, RegistryPage } from './registry.ts';
import { queryWords, scoreOf, wordsOfEntry } from './words.ts';

export interface OfficialOptions {
  /** As the user calls it. */
  readonly name: string;
  /** Of the registry, with or without the version of its API. */
  readonly url: string;
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly limits: Limits;
  /** For registries that want a key: a whole `Authorization` value and the like. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The official registry, and every other one that speaks its API (v0.1). */
export function officialRegistry(options: OfficialOptions): Registry {
  const { name, limits } = options;
  const client = new JsonClient({ ...options, registry: name });
  const base = baseOf(options.url);
  const page = async (query: Record<string, string>, signal?: AbortSignal): Promise<RegistryPage> => {
    const url = new URL(`${base}/servers`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return readPage(await client.get(url, signal), name);
  };
  return {
    name,
    kind: 'official',
    url: options.url,
    search: async (query, { limit, signal }) => {
      const words = queryWords(query);
      // The API looks for one piece of text in names only: the longest word says most.
      const longest = words.map(({ word }) => word).toSorted((a, b) => b.length - a.length)[0];
      if (longest === undefined) return { entries: [], problems: [] };
      const size = String(Math.min(limits.registryPageSize, Math.max(limit, 30)));
      const found = await page({ search: longest, version: 'latest', limit: size }, signal);
      const entries = latestOf(found.entries).filter((entry) => scoreOf(wordsOfEntry(entry), words) > 0);
      return { entries: entries.slice(0, limit), problems: found.problems };
    },
    details: async (server, { version = 'latest', signal } = {}) => {
      const url = new URL(
        `${base}/servers/${encodeURIComponent(server)}/versions/${encodeURIComponent(version)}`,
      );
      const read = readDocument(await client.get(url, signal), name);
      if (read.kind === 'ok') return read.entry;
      throw new PlugError('protocol_error', `The registry “${name}” lists ${server}, but ${read.reason}.`, {
        owner: 'registry',
      });
    },
    list: (query, { signal } = {}) => page(listParams(query), signal),
    versions: async (server, { signal } = {}) => {
      const url = new URL(`${base}/servers/${encodeURIComponent(server)}/versions`);
      return readPage(await client.get(url, signal), name).entries;
    },
  };
}

function listParams({ cursor, updatedSince, limit }: ListQuery): Record<string, string> {
  return {
    version: 'latest',
    limit: String(limit),
    ...(cursor === undefined ? {} : { cursor }),
    ...(updatedSince === undefined
      ? {}
      : { updated_since: new Date(updatedSince).toISOString(), include_deleted: 'true' }),
  };
}

/** `https://host`, `https://host/` and `https://host/v0.1/` all mean the same registry. */
function baseOf(url: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return /\/v\d+(\.\d+)?$/.test(trimmed) ? trimmed : `${trimmed}/v0.1`;
}

/** Reads `{ servers, metadata }`. What cannot be read is named and left out. */
function readPage(answer: unknown, registry: string): RegistryPage {
  if (!isObject(answer) || !Array.isArray(answer['servers'])) {
    throw new PlugError('protocol_error', `The registry “${registry}” answered without a list of servers.`, {
      owner: 'registry',
      details: { registry },
    });
  }
  const entries: RegistryEntry[] = [];
  const problems: string[] = [];
  for (const document of answer['servers'] as unknown[]) {
    const read = readDocument(document, registry);
    if (read.kind === 'ok') entries.push(read.entry);
    else problems.push(`${registry} lists ${read.name}, which was left out: ${read.reason}.`);
  }
  const metadata = isObject(answer['metadata']) ? answer['metadata'] : {};
  const nextCursor = textOf(metadata['nextCursor']) ?? textOf(metadata['next_cursor']);
  return { entries, problems, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** Some mirrors ignore `version=latest` and list every version. */
export function latestOf(entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  const latest = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const known = latest.get(entry.name);
    const newer =
      known === undefined ||
      (entry.isLatest && !known.isLatest) ||
      (entry.isLatest === known.isLatest && (entry.updatedAt ?? 0) > (known.updatedAt ?? 0));
    if (newer) latest.set(entry.name, entry);
  }
  return [...latest.values()];
}
