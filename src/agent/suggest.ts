import { nextStep } from '../base/remedy-command.ts';
import type { Hub, ServerSuggestion, ServerView } from '../hub/hub.ts';
import { type FeaturedServer, getFeatured, listFeatured, plainName } from '../servers/featured.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import { agentLimits } from './limits.ts';
import { sentenceOf } from '../base/remedy-sentence.ts';
import type { JsonObject } from '../base/json.ts';
import { textAnswer, textArgument } from '../gateway/surfaces/answers.ts';
import type { TurnParts } from './parts.ts';

interface SuggestOptions {
  readonly limit?: number;
  /** The text says what is needed, and nothing else: it is searched for as it is. */
  readonly isNeed?: boolean;
}

/** Servers that a text names, or that a need is met by, and that aren't connected. Uses only local data. */
export async function suggestServers(
  hub: Pick<Hub, 'servers' | 'registries'>,
  text: string,
  { limit = agentLimits.suggestionsMax, isNeed = false }: SuggestOptions = {},
): Promise<readonly ServerSuggestion[]> {
  const said = spoken(text);
  const { servers } = await hub.servers.list();
  const isNamed = ({ id, name }: ServerView): boolean => speaksOf(said, id) || speaksOf(said, name);
  const off = servers.filter((server) => !server.enabled && isNamed(server));
  const featured = listFeatured()
    .filter((server) => namesOf(server).some((name) => speaksOf(said, name)))
    .filter((server) => !servers.some((view) => isSame(view, server)));
  const found = [...off.map(switchedOff), ...featured.map(fromTable)];
  if (found.length >= limit) return found.slice(0, limit);
  if (isNeed) return [...found, ...(await forNeed(hub, text, { servers, found }))].slice(0, limit);
  const names = [...featured.flatMap(namesOf), ...servers.flatMap(({ id, name }) => [id, name])];
  const known = new Set(names.map(plainName));
  const words = likelyNames(said).filter((word) => !known.has(word) && !isFeatured(word));
  const listed = await fromRegistries(hub, words.slice(0, agentLimits.suggestionQueriesMax), servers);
  return [...found, ...listed].slice(0, limit);
}

function namesOf({ id, title, words }: FeaturedServer): readonly string[] {
  return [id, title, ...words];
}

function isFeatured(word: string): boolean {
  return listFeatured().some((server) => namesOf(server).some((name) => plainName(name) === word));
}

function isSame({ id, name, target }: ServerView, server: FeaturedServer): boolean {
  if (id === server.id || plainName(name) === plainName(server.title)) return true;
  // Such as `github-work`.
  if (id.split(/[._-]/).includes(server.id)) return true;
  const where = server.remote ? URL.parse(server.remote.url)?.host : server.package?.name;
  return where !== undefined && target.includes(where);
}

function switchedOff({ id, name }: ServerView): ServerSuggestion {
  const why = `${name} is here but disabled.`;
  return { add: id, name, from: 'disabled', why, ...nextStep({ do: 'enable', server: id }) };
}

const HOW: Partial<Record<string, string>> = {
  none: 'It needs no key.',
  oauth: 'You sign in with your browser.',
};

function fromTable({ id, title, auth }: FeaturedServer): ServerSuggestion {
  const how = HOW[auth] ?? 'It needs a key.';
  const why = `${title} is a well-known server and is not connected. ${how}`;
  return { add: id, name: title, from: 'featured', why, ...nextStep({ do: 'add-server', name: id }) };
}

async function forNeed(
  { registries }: Pick<Hub, 'registries'>,
  need: string,
  known: { readonly servers: readonly ServerView[]; readonly found: readonly ServerSuggestion[] },
): Promise<readonly ServerSuggestion[]> {
  const results = await lookUp(registries, need.slice(0, NEED_CHARS_MAX));
  return results
    .filter(({ deprecated }) => !deprecated)
    .map((found) => {
      const [first] = found.entries;
      const featured = first?.kind === 'featured' ? getFeatured(first.name) : undefined;
      return { featured, suggestion: featured ? fromTable(featured) : fromList(found) };
    })
    .filter(({ featured }) => !featured || !known.servers.some((view) => isSame(view, featured)))
    .map(({ suggestion }) => suggestion)
    .filter(({ add }) => !known.found.some((each) => each.add === add));
}

const NEED_CHARS_MAX = 400;

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
    if (exact && !servers.some(({ id }) => id === word)) suggestions.set(exact.name, fromList(exact));
  }
  return [...suggestions.values()];
}

function fromList({ address, title, description, sources }: FoundServer): ServerSuggestion {
  const about = description === '' ? '' : ` ${description.slice(0, ABOUT_CHARS_MAX)}`;
  const why = `${title} is listed in ${sources.join(', ')} and is not connected.${about}`;
  return {
    add: address,
    name: title,
    from: 'registry',
    why,
    ...nextStep({ do: 'add-server', name: address }),
  };
}

/** Suggestions are optional: a failed search has no results. */
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

interface Spoken {
  readonly text: string;
  /** Lower case, single spaces, padded: names are matched between spaces. */
  readonly plain: string;
}

function spoken(text: string): Spoken {
  const cut = text.slice(0, TEXT_CHARS_MAX);
  return { text: cut, plain: ` ${plainName(cut)} ` };
}

const TEXT_CHARS_MAX = 4_000;

/** An everyday word counts only when used as a name: “in Linear”, not “linear regression”. */
function speaksOf({ text, plain: words }: Spoken, name: string): boolean {
  const wanted = plainName(name);
  if (wanted === '' || GENERIC.has(wanted) || !words.includes(` ${wanted} `)) return false;
  return !ORDINARY.has(wanted) || isUsedAsName(text, wanted);
}

function likelyNames({ text }: Spoken): readonly string[] {
  const found = [...text.matchAll(LARGE), ...text.matchAll(USED)].map(([, name = '']) => name);
  const names = found.map(plainName).filter((name) => name.length > 3 && !isEveryday(name));
  return [...new Set(names)];
}

function isEveryday(word: string): boolean {
  return GENERIC.has(word) || ORDINARY.has(word) || EVERYDAY.has(word);
}

/** Capitalized inside a sentence: `… my Zendesk tickets`. */
const LARGE = /(?<=[\p{Ll}\p{N},][ ]+)(\p{Lu}[\p{L}\p{N}]{3,40})/gu;
const USED = /\b(?:using|via|connect to|connected to)\s+([\p{L}\p{N}]{4,40})/giu;

function isUsedAsName(text: string, name: string): boolean {
  const large = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  // The name has only letters and digits: nothing to escape.
  const isLarge = new RegExp(`(?<=[\\p{Ll}\\p{N},][ ]+)${large}\\b`, 'u').test(text);
  const ends = `(?=\\s*(?:$|[.,;:!?)\\n]|(?:and|or|for|about|please|with)\\b))`;
  return (
    isLarge || new RegExp(`\\b(?:in|on|to|from|via|using|into|my|our)\\s+${name}${ends}`, 'iu').test(text)
  );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s*,\s*/).map(plainName));

const GENERIC = words(
  `time, clock, time zones, memory, remember, knowledge graph, everything, reference server, test server, fetch,
  web pages, fetch urls, files, folders, local files, file system, filesystem, git, gh, hf, thinking,
  step by step thinking, sequential thinking, calendar, browser, chrome, payments, diagrams, web search, monday,
  todo list, research papers, models and datasets, product analytics, error tracking, support tickets,
  library docs, repository wiki, sonar, brave, devtools, crawl websites`,
);

const ORDINARY = words(
  `linear, notion, slack, square, neon, stripe, sentry, prisma, exa, amplitude, intercom, azure, mermaid`,
);

const EVERYDAY = words(
  `monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, june, july,
  august, september, october, november, december, english, german, french, spanish, please, this, that, these,
  those, with, from, into, what, when, where, which, there, their, hello, thanks, python, javascript, typescript,
  java, rust, markdown, html, json, yaml, http, https, linux, windows, macos, your, them, some, more, than, then`,
);

export const SUGGEST_SERVER = 'suggest_server';

/** Every word of it costs tokens in every turn. */
export const suggestServerTool: JsonObject = {
  name: SUGGEST_SERVER,
  description: 'When no tool here can do something: names servers that the person could connect for it.',
  inputSchema: {
    type: 'object',
    properties: { need: { type: 'string', description: 'The service, such as “Jira”' } },
    required: ['need'],
  },
};

export async function suggestServer(
  { hub, events }: Pick<TurnParts, 'hub' | 'events'>,
  args: JsonObject,
): Promise<JsonObject> {
  const suggestions = await suggestServers(hub, textArgument(args, 'need', SUGGEST_SERVER), { isNeed: true });
  if (suggestions.length === 0)
    return textAnswer('No server is known for that. The user can search for one.');
  events.tell({ kind: 'suggestion', suggestions });
  const lines = suggestions.map(({ name, why, remedy }) => `- ${name}: ${why} ${sentenceOf(remedy)}`);
  return textAnswer(`Tell the person about these; you cannot connect them yourself.\n${lines.join('\n')}`);
}
