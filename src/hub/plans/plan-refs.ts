import { defined } from '../../base/defined.ts';
import { measureBundle } from '../../servers/plans/fetch-bundle.ts';
import type { InstallPlan } from '../../servers/plans/plan.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Remedy } from '../../base/remedy.ts';
import { type FeaturedServer, getFeatured } from '../../servers/featured.ts';
import type { PastedRef, PastedServer } from '../../servers/paste/paste.ts';
import { planFeatured } from '../../servers/plans/featured-plan.ts';
import { loadEntry } from '../../servers/registry/details.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import { readAddress, type ServerAddress } from '../../servers/registry/address.ts';
import { FEATURED } from '../../servers/registry/featured-entries.ts';
import { type FoundServer, mergeEntries } from '../../servers/registry/merge.ts';
import type { Registry } from '../../servers/registry/registry.ts';
import { searchRegistries, type RegistryAnswer, type SearchOutcome } from '../../servers/registry/search.ts';
import { asKnownPackage } from './known-package.ts';
import { entryPlan, madeOf, packagePlan, type EntryOptions } from './plan-entry.ts';
import type { MadePlan } from './plan-pasted.ts';
import { withConfig } from './plan-config.ts';
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
    return fromFeatured(featured, options);
  }
  if (kind === 'npm' || kind === 'pypi' || kind === 'docker') {
    const made = madeOf(packagePlan(kind === 'docker' ? 'oci' : kind, ref, options.checks));
    return found(await asKnownPackage(core, made, { isNamed: false, options }));
  }
  if (kind === 'mcpb') return found(madeOf(await bundlePlan(core, id, server, options)));
  if (kind === 'mcp-registry' || kind === 'github-mcp-registry') {
    return await fromRegistry(core, ref, 'official', options);
  }
  if (kind === 'smithery') {
    const answer = await fromRegistry(core, ref, 'smithery', options);
    const { config } = server.extra;
    return answer.kind === 'plan' && isObject(config) ? found(withConfig(answer.made, config)) : answer;
  }
  return await bySearch(core, ref, server, options);
}

/** The entry that a text names in full, if it is one of a list that we know. */
export async function addressIn(
  core: PlanCore,
  text: string,
  { offline, signal }: RefOptions,
): Promise<ServerAddress | undefined> {
  const address = readAddress(text);
  if (address?.registry === FEATURED) return address;
  if (address) return (await core.registries.names()).includes(address.registry) ? address : undefined;
  // npm and Smithery write names alike. One that search has shown, and that is no package, is Smithery's.
  if (offline || !SCOPED_NAME.test(text)) return undefined;
  const { storage, owner, packages } = core;
  for (const { kind, name: registry } of await core.registries.pick()) {
    if (kind !== 'smithery' || !(await storage.registry.getEntry(owner, registry, text))) continue;
    const facts = await packages.npm?.lookup(text, undefined, { signal });
    if (facts?.exists === false) return { registry, name: text };
  }
  return undefined;
}

const SCOPED_NAME = /^@[\w.-]+\/[\w.-]+$/;

/** What search gave out: exactly that entry, or why it can't be had. */
export async function planFromAddress(
  core: PlanCore,
  { registry: list, name }: ServerAddress,
  options: RefOptions,
): Promise<RefAnswer> {
  const featured = list === FEATURED ? getFeatured(name) : undefined;
  if (featured) return fromFeatured(featured, options);
  const [registry] = await core.registries.pick([list]);
  if (!registry) throw unknown(name);
  try {
    return found(entryPlan(await load(core, registry, { id: name }, options), options));
  } catch (error) {
    const { code, owner, message, remedy } = toPlugError(error);
    if (options.signal?.aborted || code === 'unsupported' || code === 'denied') throw error;
    const isAbsent = code === 'not_found';
    throw new PlugError(
      code,
      isAbsent
        ? `The registry “${list}” doesn't list “${name}”.`
        : `“${name}” could not be looked up. ${message}`,
      { owner, remedy: isAbsent ? findAgain(name) : remedy, cause: error },
    );
  }
}

function fromFeatured(featured: FeaturedServer, { checks }: RefOptions): RefAnswer {
  return found(madeOf(planFeatured(featured, checks), { docs: featured.docs }));
}

/** Whoever pasted the link has no checksum: the file is fetched once, and only that file is used from then on. */
async function bundlePlan(
  { outgoing, limits }: PlanCore,
  url: string,
  { name }: PastedServer,
  { checks, remoteOnly, offline, signal }: RefOptions,
): Promise<InstallPlan> {
  const isFile = url.startsWith('file:');
  if (remoteOnly) {
    const remedy = 'Give the address of a remote server instead, such as https://host/mcp.';
    const why = 'A bundle would run a program on the hub’s machine, which isn’t allowed here.';
    throw new PlugError('denied', why, { owner: 'you', remedy });
  }
  if (offline && !isFile) {
    const remedy = 'Download the file and add it by its path.';
    throw new PlugError('unreachable', `${url} has to be downloaded.`, { owner: 'you', remedy });
  }
  const sha256 = await measureBundle(url, { fetch: outgoing.download, limits, signal });
  return packagePlan('mcpb', { id: url, sha256, ...defined({ name: name ?? undefined }) }, checks);
}

/** What is found for plain words. A name that fits exactly is not asked about again. */
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
  // One name is one server, wherever it is listed.
  const [only] = mergeEntries(await listedAs(core, name, options));
  if (only) return await fromFound(core, only, options);
  return await bySearch(core, { kind: 'github', id: name }, server, options);
}

async function listedAs(
  core: PlanCore,
  name: string,
  options: RefOptions,
): Promise<readonly RegistryEntry[]> {
  const registries = await core.registries.pick();
  const asked = registries.map(async (registry) => {
    try {
      return [await load(core, registry, { id: name }, options)];
    } catch (error) {
      if (options.signal?.aborted) throw error;
      return []; // one that does not list it, or cannot be asked, leaves the question to the others
    }
  });
  return (await Promise.all(asked)).flat();
}

async function fromRegistry(
  core: PlanCore,
  ref: PastedRef,
  kind: 'official' | 'smithery',
  options: RefOptions,
): Promise<RefAnswer> {
  const registries = (await core.registries.pick()).filter((registry) => registry.kind === kind);
  const planAt = async (registry: Registry): Promise<RefAnswer> =>
    found(entryPlan(await load(core, registry, ref, options), options));
  return await firstPlan(registries, planAt, { signal: options.signal, id: ref.id });
}

/** The plan of the first that has one; else the last failure. */
async function firstPlan<T>(
  places: readonly T[],
  planAt: (place: T) => Promise<RefAnswer>,
  { signal, id }: { readonly signal: AbortSignal | undefined; readonly id: string },
): Promise<RefAnswer> {
  let last: unknown = unknown(id);
  for (const place of places) {
    try {
      return await planAt(place);
    } catch (error) {
      if (signal?.aborted) throw error;
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
  throw notListed(server.name ?? ref.id, registries);
}

/** Only a registry that was asked, or copied as a whole, can say that it doesn't list a server. */
function notListed(what: string, registries: readonly RegistryAnswer[]): PlugError {
  const details = { registries };
  const silent = registries.filter(({ reason }) => reason !== undefined);
  const remedy = 'Paste the command or the config from its README.';
  if (silent.length === 0)
    return new PlugError('not_found', `No registry lists “${what}”.`, { owner: 'you', remedy, details });
  const why = silent.map(({ name, reason = '' }) => `${name}: ${reason}`).join(' ');
  return new PlugError('unreachable', `“${what}” isn't known here, and could not be looked up. ${why}`, {
    owner: 'network',
    remedy: 'Try again when the registries answer, or paste the command or the config from its README.',
    details,
  });
}

/** The entry that stands for the server; the same one elsewhere if that can't be installed. */
async function fromFound(core: PlanCore, listed: FoundServer, options: RefOptions): Promise<RefAnswer> {
  const planAt = async (entry: RegistryEntry): Promise<RefAnswer> =>
    entry.registry !== FEATURED && entry.detail === 'full'
      ? found(entryPlan(entry, options))
      : await planFromAddress(core, entry, options);
  return await firstPlan(listed.entries, planAt, { signal: options.signal, id: listed.name });
}

async function search(core: PlanCore, query: string, options: RefOptions): Promise<SearchOutcome> {
  const { storage, owner, clock, limits } = core;
  const { offline, signal } = options;
  const common = { store: storage.registry, owner, clock, limits, offline, signal };
  const among = await core.registries.among();
  return searchRegistries(query, { ...common, ...among, limit: limits.searchResultsShown });
}

function found(made: MadePlan): RefAnswer {
  return { kind: 'plan', made };
}

function unknown(id: string): PlugError {
  const why = `No registry lists “${id.slice(0, 80)}”.`;
  return new PlugError('not_found', why, { owner: 'you', remedy: findAgain(id) });
}

function findAgain(id: string): Remedy {
  return { do: 'find-server', words: id.split('/').at(-1) ?? id };
}
