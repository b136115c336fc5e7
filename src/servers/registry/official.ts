import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import { readDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';
import { JsonClient, type RegistryOptions, readOne, readPage } from './_json.ts';
import { shortTextOf } from './_read.ts';
import type { ListQuery, Registry, RegistryPage } from './registry.ts';
import { readRequest, wordsToAsk } from './request.ts';
import { wordSet } from '../word-set.ts';

export function officialRegistry(options: RegistryOptions): Registry {
  const { name, limits } = options;
  const client = new JsonClient(options);
  const base = baseOf(options.url);
  const page = async (query: Record<string, string>, signal?: AbortSignal): Promise<RegistryPage> => {
    const url = new URL(`${base}/servers`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return withCursor(await client.get(url, signal), name);
  };
  return {
    name,
    kind: 'official',
    url: options.url,
    search: async (query, { limit, signal }) => {
      const size = String(Math.min(limits.registryPageSize, Math.max(limit, 30)));
      const asked = substringsFor(query).map((search) =>
        page({ search, version: 'latest', limit: size }, signal),
      );
      const pages = await Promise.all(asked);
      return {
        entries: latestOf(pages.flatMap(({ entries }) => entries)).slice(0, limit),
        problems: pages.flatMap(({ problems }) => problems),
      };
    },
    details: async (server, { version = 'latest', signal } = {}) => {
      const url = new URL(
        `${base}/servers/${encodeURIComponent(server)}/versions/${encodeURIComponent(version)}`,
      );
      return readOne(await client.get(url, signal), name, server, readDocument);
    },
    list: (query, { signal } = {}) => page(listParams(query), signal),
    versions: async (server, { signal } = {}) => {
      const url = new URL(`${base}/servers/${encodeURIComponent(server)}/versions`);
      return readPage(await client.get(url, signal), name, readDocument).entries;
    },
  };
}

/**
 * The API searches one substring, in whole names: the longest words are asked for, each by itself. A word that
 * namespaces are made of is asked for where it is the server's or the maker's own name.
 */
function substringsFor(query: string): readonly string[] {
  const words = wordsToAsk(readRequest(query)).toSorted((a, b) => b.length - a.length);
  return words
    .slice(0, WORDS_ASKED_MAX)
    .flatMap((word) => (IN_NAMESPACES.has(word) ? [`/${word}`, `.${word}/`] : [word]));
}

const WORDS_ASKED_MAX = 2;
const IN_NAMESPACES = wordSet('github gitlab io com ai dev app net org co smithery');

function listParams({ cursor, updatedSince, limit }: ListQuery): Record<string, string> {
  const since = updatedSince === undefined ? undefined : new Date(updatedSince).toISOString();
  return {
    version: 'latest',
    limit: String(limit),
    ...defined({ cursor, updated_since: since, include_deleted: since && 'true' }),
  };
}

/** `https://host`, `https://host/` and `https://host/v0.1/` are the same registry. */
function baseOf(url: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return /\/v\d+(\.\d+)?$/.test(trimmed) ? trimmed : `${trimmed}/v0.1`;
}

function withCursor(answer: unknown, registry: string): RegistryPage {
  const page = readPage(answer, registry, readDocument);
  const metadata = isObject(answer) && isObject(answer['metadata']) ? answer['metadata'] : {};
  const nextCursor = shortTextOf(metadata['nextCursor']) ?? shortTextOf(metadata['next_cursor']);
  return { ...page, ...defined({ nextCursor }) };
}

/** Some mirrors ignore `version=latest`. */
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
