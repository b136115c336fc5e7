import type { NextStep } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import type { Clock } from '../../base/clock.ts';
import { toPlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { OwnerId } from '../store.ts';
import type { RegistryEntry } from './entry.ts';
import { featuredEntries, FEATURED } from './featured-entries.ts';
import { mergeEntries, type FoundServer } from './merge.ts';
import { correctionsFor } from './misspelt.ts';
import { describeServer, rankServers } from './rank.ts';
import type { Registry } from './registry.ts';
import { correctedRequest, readRequest, stemOf, wordsToAsk, type ServerRequest } from './request.ts';
import type { RegistryStore, StoredEntry } from './store.ts';

export interface RegistryContext {
  readonly store: RegistryStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

export interface SearchOptions extends RegistryContext {
  readonly registries: readonly Registry[];
  readonly limits: Limits;
  readonly limit?: number;
  readonly offline?: boolean;
  /** Search the featured table, too. */
  readonly featured?: boolean;
}

export interface RegistryAnswer extends NextStep {
  readonly name: string;
  readonly state: 'live' | 'cached' | 'failed';
  readonly results: number;
  /** Of one that was not asked: how many of its entries are known here, and were searched in its place. */
  readonly copied?: number;
  /** Of a cached answer: the age of its oldest part. */
  readonly ageMs?: number;
  /** Why it isn't live; absent when the local copy is fresh. */
  readonly reason?: string;
  readonly problems: readonly string[];
}

export interface SearchOutcome {
  readonly results: readonly FoundServer[];
  readonly registries: readonly RegistryAnswer[];
  /** The built-in table: how many servers were searched, and how many results are in it. */
  readonly featured: { readonly servers: number; readonly results: number };
  /** Nothing has the words as they were typed: these were searched for. */
  readonly corrected?: string;
}

/** Asks all registries at once, and searches what is known here with them. For one that fails, that answers. */
export async function searchRegistries(query: string, options: SearchOptions): Promise<SearchOutcome> {
  const { limits } = options;
  const limit = Math.min(options.limit ?? limits.registryResultsMax, limits.registryResultsMax);
  const request = readRequest(query);
  const found = await searchFor(request, query, { ...options, limit });
  const changes = await correctionsFor(request, found.servers, () =>
    options.store.listNames(
      options.owner,
      options.registries.map(({ name }) => name),
    ),
  );
  const meant = correctedRequest(request, changes);
  const words = meant.words.join(' ');
  const outcome = changes.size === 0 ? found : await searchFor(meant, words, { ...options, limit });
  const results = outcome.results.slice(0, limit);
  return {
    results,
    registries: outcome.answers.map(({ answer }) => answer),
    featured: {
      servers: options.featured ? featuredEntries().length : 0,
      results: results.filter(({ sources }) => sources.includes(FEATURED)).length,
    },
    ...(changes.size === 0 || results.length === 0 ? {} : { corrected: words }),
  };
}

interface FoundServers {
  readonly answers: readonly Answered[];
  readonly servers: ReturnType<typeof describeServer>[];
  readonly results: readonly FoundServer[];
}

async function searchFor(request: ServerRequest, query: string, options: AskOptions): Promise<FoundServers> {
  const answers = await Promise.all(
    options.registries.map((registry) => askOne(registry, { request, query }, options)),
  );
  const listed = answers.flatMap(({ entries }) => entries);
  const featured = options.featured ? featuredEntries() : [];
  const servers = mergeEntries([...featured, ...listed]).map(describeServer);
  // A registry that searches by meaning finds servers that hold none of the words.
  const byMeaning = new Set(
    answers.flatMap(({ entries, answer }, index) =>
      answer.state === 'live' && options.registries[index]?.list === undefined ? entries : [],
    ),
  );
  const isMeant = ({ entries }: FoundServer): boolean => entries.some((entry) => byMeaning.has(entry));
  const results = rankServers(request, servers, isMeant);
  return { answers, servers, results };
}

interface Answered {
  readonly answer: RegistryAnswer;
  readonly entries: readonly RegistryEntry[];
}

type AskOptions = SearchOptions & { readonly limit: number };

interface RegistryQuery {
  readonly request: ServerRequest;
  readonly query: string;
}

async function askOne(registry: Registry, asked: RegistryQuery, options: AskOptions): Promise<Answered> {
  const { store, owner, clock, limits, signal } = options;
  const known = (): Promise<readonly StoredEntry[]> => knownEntries(registry, asked.request, options);
  if (options.offline) return await cached(registry, await known(), options, OFFLINE);
  const sync = registry.list && (await store.getSync(owner, registry.name));
  if (sync?.url === registry.url && clock.now() - (sync.completedAt ?? 0) < limits.registryFreshMs)
    return await cached(registry, await known(), options);
  try {
    const page = await registry.search(asked.query, { limit: limits.registryResultsMax, signal });
    await store.putEntries(owner, await notBlurring(page.entries, options), clock.now());
    const seen = new Set(page.entries.map(({ name }) => name));
    // The index also has descriptions, which the official API doesn't search.
    const more = registry.list ? (await known()).filter(({ entry }) => !seen.has(entry.name)) : [];
    const entries = [...page.entries, ...more.map(({ entry }) => entry)];
    const { problems } = page;
    const answer = { name: registry.name, state: 'live', results: entries.length, problems } as const;
    return { answer, entries };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const { message: reason, remedy } = toPlugError(error);
    return await cached(registry, await known(), options, { reason, ...nextStep(remedy) });
  }
}

/** Entries with all of the words first; a request in plain words rarely has them all in one entry. */
async function knownEntries(
  registry: Registry,
  request: ServerRequest,
  { store, owner, limits }: AskOptions,
): Promise<readonly StoredEntry[]> {
  const common = { registries: [registry.name], limit: limits.registryCandidatesMax };
  const words = wordsToAsk(request);
  const starts = words.map((word) => (word.startsWith(stemOf(word)) ? stemOf(word) : word));
  const all = await store.searchEntries(owner, { ...common, query: starts.join(' ') });
  const meanings = request.terms.flatMap(({ meanings: others }) => others.slice(0, 2));
  if (all.length >= ENOUGH || (starts.length < 2 && meanings.length === 0)) return all;
  const query = [...starts, ...meanings].join(' ');
  const any = await store.searchEntries(owner, { ...common, query, match: 'any' });
  const seen = new Set(all.map(({ entry }) => entry.name));
  return [...all, ...any.filter(({ entry }) => !seen.has(entry.name))];
}

/** Entries that hold every word: others, which hold some, need not be looked for. */
const ENOUGH = 20;

const OFFLINE = { reason: 'Asked to stay offline.' };

async function cached(
  { name }: Registry,
  found: readonly StoredEntry[],
  { store, owner, clock }: AskOptions,
  why: NextStep & { readonly reason?: string } = {},
): Promise<Answered> {
  const entries = found.map(({ entry }) => entry);
  const failed = found.length === 0 && why.reason !== undefined && why !== OFFLINE;
  const oldest = Math.min(...found.map(({ fetchedAt }) => fetchedAt));
  return {
    entries,
    answer: {
      name,
      state: failed ? 'failed' : 'cached',
      results: entries.length,
      ...(why.reason === undefined ? {} : { copied: await store.countEntries(owner, name) }),
      ...(found.length === 0 ? {} : { ageMs: Math.max(0, clock.now() - oldest) }),
      ...why,
      problems: [],
    },
  };
}

/** A list entry must not replace fetched details. */
async function notBlurring(
  entries: readonly RegistryEntry[],
  { store, owner }: AskOptions,
): Promise<readonly RegistryEntry[]> {
  const kept: RegistryEntry[] = [];
  for (const entry of entries) {
    const listed = entry.detail === 'listed';
    const known = listed ? (await store.getEntry(owner, entry.registry, entry.name))?.entry : undefined;
    const { packages, remotes, detail } = known?.detail === 'full' ? known : entry;
    kept.push({ ...entry, packages, remotes, detail });
  }
  return kept;
}
