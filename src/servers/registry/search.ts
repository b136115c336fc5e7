import type { NextStep } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import type { Clock } from '../../base/clock.ts';
import { toPlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { OwnerId } from '../store.ts';
import type { RegistryEntry } from './entry.ts';
import { mergeEntries, type FoundServer } from './merge.ts';
import type { Registry } from './registry.ts';
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
}

export interface RegistryAnswer extends NextStep {
  readonly name: string;
  readonly state: 'live' | 'cached' | 'failed';
  readonly results: number;
  /** Of a cached answer: the age of its oldest part. */
  readonly ageMs?: number;
  /** Why it isn't live; absent when the local copy is fresh. */
  readonly reason?: string;
  readonly problems: readonly string[];
}

export interface SearchOutcome {
  readonly results: readonly FoundServer[];
  readonly registries: readonly RegistryAnswer[];
}

/** Asks all registries at once. For one that fails, the stored entries answer. */
export async function searchRegistries(query: string, options: SearchOptions): Promise<SearchOutcome> {
  const { registries, limits } = options;
  const limit = Math.min(options.limit ?? limits.registryResultsMax, limits.registryResultsMax);
  const answers = await Promise.all(
    registries.map((registry) => askOne(registry, query, { ...options, limit })),
  );
  const results = mergeEntries(answers.flatMap(({ entries }) => entries)).slice(0, limit);
  return { results, registries: answers.map(({ answer }) => answer) };
}

interface Answered {
  readonly answer: RegistryAnswer;
  readonly entries: readonly RegistryEntry[];
}

type AskOptions = SearchOptions & { readonly limit: number };

async function askOne(registry: Registry, query: string, options: AskOptions): Promise<Answered> {
  const { store, owner, clock, limits, limit, signal } = options;
  const known = (): Promise<readonly StoredEntry[]> =>
    store.searchEntries(owner, { query, registries: [registry.name], limit });
  if (options.offline) return cached(registry, await known(), options, OFFLINE);
  const sync = registry.list && (await store.getSync(owner, registry.name));
  if (sync?.url === registry.url && clock.now() - (sync.completedAt ?? 0) < limits.registryFreshMs)
    return cached(registry, await known(), options);
  try {
    const page = await registry.search(query, { limit, signal });
    await store.putEntries(owner, await notBlurring(page.entries, options), clock.now());
    const seen = new Set(page.entries.map(({ name }) => name));
    // The index also has descriptions, which the official API doesn't search.
    const more = registry.list ? (await known()).filter(({ entry }) => !seen.has(entry.name)) : [];
    const entries = [...page.entries, ...more.map(({ entry }) => entry)].slice(0, limit);
    const { problems } = page;
    const answer = { name: registry.name, state: 'live', results: entries.length, problems } as const;
    return { answer, entries };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const { message: reason, remedy } = toPlugError(error);
    return cached(registry, await known(), options, { reason, ...nextStep(remedy) });
  }
}

const OFFLINE = { reason: 'Asked to stay offline.' };

function cached(
  { name }: Registry,
  found: readonly StoredEntry[],
  { clock }: AskOptions,
  why: NextStep & { readonly reason?: string } = {},
): Answered {
  const entries = found.map(({ entry }) => entry);
  const failed = found.length === 0 && why.reason !== undefined && why !== OFFLINE;
  const oldest = Math.min(...found.map(({ fetchedAt }) => fetchedAt));
  return {
    entries,
    answer: {
      name,
      state: failed ? 'failed' : 'cached',
      results: entries.length,
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
