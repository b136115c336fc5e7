import { PlugError, toPlugError } from '../../base/errors.ts';
import { getFeatured } from '../../servers/featured.ts';
import type { PastedRef, PastedServer } from '../../servers/paste/paste.ts';
import { planFeatured } from '../../servers/plans/featured-plan.ts';
import { loadEntry } from '../../servers/registry/details.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import type { Registry } from '../../servers/registry/registry.ts';
import { searchRegistries, type RegistryAnswer, type SearchOutcome } from '../../servers/registry/search.ts';
import { entryPlan, madeOf, packagePlan, type EntryOptions } from './plan-entry.ts';
import type { MadePlan } from './plan-pasted.ts';
import type { PlanCore } from './open.ts';

export interface RefOptions extends EntryOptions {
  readonly offline: boolean;
  readonly signal: AbortSignal | undefined;
}

export type RefAnswer =
  | { readonly kind: 'plan'; readonly made: MadePlan }
  | {
      readonly kind: 'choose';
      readonly choices: readonly FoundServer[];
      readonly registries: readonly RegistryAnswer[];
    };

export async function planFromRef(
  core: PlanCore,
  ref: PastedRef,
  server: PastedServer,
  options: RefOptions,
): Promise<RefAnswer> {
  const { kind, id } = ref;
  if (kind === 'featured') {
    const featured = getFeatured(id);
    if (!featured) throw unknown(id);
    return found(madeOf(planFeatured(featured, options.checks), { docs: featured.docs }));
  }
  if (kind === 'npm' || kind === 'pypi' || kind === 'docker') {
    return found(madeOf(packagePlan(kind === 'docker' ? 'oci' : kind, ref, options.checks)));
  }
  if (kind === 'mcp-registry' || kind === 'github-mcp-registry') {
    return await fromRegistry(core, ref, 'official', options);
  }
  if (kind === 'smithery') return await fromRegistry(core, ref, 'smithery', options);
  return await bySearch(core, ref, server, options);
}

/** What registries list under plain words. A name that fits exactly is not asked about again. */
export async function planFromWords(core: PlanCore, words: string, options: RefOptions): Promise<RefAnswer> {
  const { results, registries } = await search(core, words, options);
  const exact = results.filter(({ name }) => name.toLowerCase() === words.toLowerCase());
  const [only] = exact;
  if (only && exact.length === 1) return await fromFound(core, only, options);
  return { kind: 'choose', choices: results, registries };
}

/** `io.github.acme/files`: asked for by its full name wherever servers are listed. */
export async function planFromName(
  core: PlanCore,
  name: string,
  server: PastedServer,
  options: RefOptions,
): Promise<RefAnswer> {
  for (const registry of await core.registries.pick()) {
    try {
      return found(entryPlan(await load(core, registry, { id: name }, options), options));
    } catch (error) {
      // One that does not list it, or cannot be asked, leaves the question to the others.
      const { code } = toPlugError(error);
      if (options.signal?.aborted || code === 'denied' || code === 'unsupported') throw error;
    }
  }
  return await bySearch(core, { kind: 'github', id: name }, server, options);
}

async function fromRegistry(
  core: PlanCore,
  ref: PastedRef,
  kind: 'official' | 'smithery',
  options: RefOptions,
): Promise<RefAnswer> {
  const registries = (await core.registries.pick()).filter((registry) => registry.kind === kind);
  return await firstPlan(ref.id, registries, (registry) => load(core, registry, ref, options), options);
}

/** The plan of the first that has one; else the last failure. */
async function firstPlan<T>(
  id: string,
  places: readonly T[],
  entryAt: (place: T) => RegistryEntry | Promise<RegistryEntry>,
  options: RefOptions,
): Promise<RefAnswer> {
  let last: unknown = unknown(id);
  for (const place of places) {
    try {
      return found(entryPlan(await entryAt(place), options));
    } catch (error) {
      if (options.signal?.aborted) throw error;
      last = error;
    }
  }
  throw last;
}

function load(
  core: PlanCore,
  registry: Registry,
  ref: { readonly id: string; readonly version?: string },
  options: RefOptions,
): Promise<RegistryEntry> {
  const { storage, owner, clock } = core;
  const { offline, signal } = options;
  const version = ref.version === undefined || ref.version === 'latest' ? {} : { version: ref.version };
  return loadEntry(registry, ref.id, { store: storage.registry, owner, clock, offline, signal, ...version });
}

/** Other sites are not asked: what they list is looked up in the registries by its repository or name. */
async function bySearch(
  core: PlanCore,
  ref: PastedRef,
  server: PastedServer,
  options: RefOptions,
): Promise<RefAnswer> {
  const last = ref.id.split('/').at(-1) ?? ref.id;
  const { results, registries } = await search(core, last, options);
  const path = ref.id.toLowerCase().replaceAll(/^@|\.git$/g, '');
  const same = results.filter(({ entries }) =>
    entries.some(({ repository, name }) => {
      const url = (repository?.url ?? '')
        .toLowerCase()
        .replace(/\.git$/, '')
        .replace(/\/$/, '');
      return url.endsWith(`/${path}`) || name.toLowerCase() === path;
    }),
  );
  const [only] = same;
  if (only && same.length === 1) return await fromFound(core, only, options);
  const choices = same.length > 0 ? same : results;
  if (choices.length > 0) return { kind: 'choose', choices, registries };
  const silent = registries.filter(({ state }) => state === 'failed');
  if (silent.length > 0) {
    const why = silent.map(({ name, reason }) => `${name}: ${reason ?? 'no answer'}`).join(' ');
    throw new PlugError('unreachable', `“${ref.id}” could not be looked up. ${why}`, {
      owner: 'network',
      remedy: 'Try again when the registries answer, or paste the command or the config from its README.',
      details: { registries },
    });
  }
  const remedy = 'Paste the command or the config from its README.';
  const why = `No registry lists “${server.name ?? ref.id}”.`;
  throw new PlugError('not_found', why, { owner: 'you', remedy, details: { registries } });
}

async function fromFound(core: PlanCore, listed: FoundServer, options: RefOptions): Promise<RefAnswer> {
  const registries = await core.registries.pick();
  const whole = (entry: RegistryEntry): RegistryEntry | Promise<RegistryEntry> => {
    const registry = registries.find(({ name }) => name === entry.registry);
    if (entry.detail === 'full' || !registry) return entry;
    return load(core, registry, { id: entry.name }, options);
  };
  return await firstPlan(listed.name, listed.entries, whole, options);
}

async function search(core: PlanCore, query: string, options: RefOptions): Promise<SearchOutcome> {
  const { storage, owner, clock, limits } = core;
  const { offline, signal } = options;
  const registries = await core.registries.pick();
  const common = { store: storage.registry, owner, clock, limits, offline, signal };
  return searchRegistries(query, { ...common, registries, limit: limits.searchResultsShown });
}

function found(made: MadePlan): RefAnswer {
  return { kind: 'plan', made };
}

function unknown(id: string): PlugError {
  const remedy = { do: 'find-server', words: id.split('/').at(-1) ?? id } as const;
  return new PlugError('not_found', `No registry lists “${id.slice(0, 80)}”.`, { owner: 'you', remedy });
}
