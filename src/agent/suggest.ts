import { nextStep } from '../base/remedy-command.ts';
import type { Hub, ServerSuggestion, ServerView } from '../hub/hub.ts';
import { listFeatured, plainName, type FeaturedServer } from '../servers/featured.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import { agentLimits } from './limits.ts';
import { isEveryday, likelyNames, speaksOf, spoken, type Spoken } from './spoken-names.ts';

export interface SuggestOptions {
  readonly limit?: number;
  /** The text is the name of a need, not a request: every word of it may be a service's name. */
  readonly isNeed?: boolean;
}

/**
 * Servers that a text speaks of and that are not there: switched off, featured, or known from the
 * local copy of the registries. Nothing is asked over the network, and nothing is guessed: only
 * names count.
 */
export async function suggestServers(
  hub: Pick<Hub, 'servers' | 'registries'>,
  text: string,
  { limit = agentLimits.suggestionsMax, isNeed = false }: SuggestOptions = {},
): Promise<readonly ServerSuggestion[]> {
  const said = spoken(text);
  const { servers } = await hub.servers.list();
  const off = servers.filter(
    ({ enabled, id, name }) => !enabled && [id, name].some((each) => speaksOf(said, each)),
  );
  const featured = listFeatured()
    .filter((server) => namesOf(server).some((name) => speaksOf(said, name)))
    .filter((server) => !servers.some((view) => isSame(view, server)));
  const found = [...off.map(switchedOff), ...featured.map(fromTable)];
  if (found.length >= limit) return found.slice(0, limit);
  const known = new Set(
    [...featured.flatMap(namesOf), ...servers.flatMap(({ id, name }) => [id, name])].map(plainName),
  );
  const words = namesToLookFor(said, isNeed).filter((word) => !known.has(word) && !isFeatured(word));
  const listed = await fromRegistries(hub, words.slice(0, agentLimits.suggestionQueriesMax), servers);
  return [...found, ...listed].slice(0, limit);
}

function namesOf({ id, title, words }: FeaturedServer): readonly string[] {
  return [id, title, ...words];
}

function isFeatured(word: string): boolean {
  return listFeatured().some((server) => namesOf(server).some((name) => plainName(name) === word));
}

/** Under whatever name it is here: the same id, name, address or package. */
function isSame({ id, name, target }: ServerView, server: FeaturedServer): boolean {
  if (id === server.id || plainName(name) === plainName(server.title)) return true;
  // Such as `github-work`.
  if (id.split(/[._-]/).includes(server.id)) return true;
  const where = server.remote ? hostOf(server.remote.url) : server.package?.name;
  return where !== undefined && target.includes(where);
}

function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}

function switchedOff({ id, name }: ServerView): ServerSuggestion {
  return {
    add: id,
    name,
    from: 'disabled',
    why: `${name} is here and switched off.`,
    ...nextStep({ do: 'enable', server: id }),
  };
}

function fromTable({ id, title, auth }: FeaturedServer): ServerSuggestion {
  const how =
    auth === 'none'
      ? 'It needs no key.'
      : auth === 'oauth'
        ? 'You sign in with your browser.'
        : 'It needs a key.';
  const why = `${title} is a well-known server and is not connected. ${how}`;
  return { add: id, name: title, from: 'featured', why, ...nextStep({ do: 'add-server', name: id }) };
}

function namesToLookFor(said: Spoken, isNeed: boolean): readonly string[] {
  if (!isNeed) return likelyNames(said);
  return said.plain.split(' ').filter((word) => word.length > 3 && !isEveryday(word));
}

async function fromRegistries(
  { registries }: Pick<Hub, 'registries'>,
  words: readonly string[],
  servers: readonly ServerView[],
): Promise<readonly ServerSuggestion[]> {
  const suggestions = new Map<string, ServerSuggestion>();
  for (const word of words) {
    const results = await lookUp(registries, word);
    const exact = results.find(
      ({ name, title, deprecated }) => !deprecated && (plainName(title) === word || bareName(name) === word),
    );
    if (!exact || servers.some(({ id }) => id === word)) continue;
    const { name, title, description } = exact;
    const about = description === '' ? '' : ` ${description.slice(0, ABOUT_CHARS_MAX)}`;
    const why = `${title} is listed in ${exact.sources.join(', ')} and is not connected.${about}`;
    suggestions.set(name, {
      add: name,
      name: title,
      from: 'registry',
      why,
      ...nextStep({ do: 'add-server', name }),
    });
  }
  return [...suggestions.values()];
}

/** Nobody waits for a suggestion, and nobody misses one: an index that does not answer knows nothing. */
async function lookUp(registries: Hub['registries'], word: string): Promise<readonly FoundServer[]> {
  try {
    const query = { query: word, offline: true, limit: agentLimits.registryHitsMax };
    return (await registries.search(query)).results;
  } catch {
    return [];
  }
}

/** `io.github.acme/zendesk-mcp-server` is called “zendesk”. */
function bareName(name: string): string {
  const last = name.split('/').at(-1) ?? name;
  return plainName(last)
    .split(' ')
    .filter((word) => word !== 'mcp' && word !== 'server')
    .join(' ');
}

const ABOUT_CHARS_MAX = 120;
