import { PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import type { ServerView } from '../hub/hub.ts';
import { getFeatured } from '../servers/featured.ts';

interface NamedServers {
  /** Undefined where the request names none: then the turn may use every server. */
  readonly ids: readonly string[] | undefined;
  readonly notes: readonly string[];
}

/**
 * By the request, by `@server` in its text, or by “using GitHub and Linear: …”. A name that no server has
 * stops the turn before the model is asked: a misspelt restriction must neither widen nor be dropped.
 */
export function namedServers(
  text: string,
  servers: readonly ServerView[],
  given: readonly string[] | undefined,
): NamedServers {
  const names = given ?? [...new Set([...mentioned(text, servers), ...usedWords(text, servers)])];
  if (given === undefined && names.length === 0) return { ids: undefined, notes: [] };
  const found = names.map((name) => find(name, servers) ?? absent(name, servers, given === undefined));
  const ids = new Set(found.map(({ id }) => id));
  return { ids: [...ids].toSorted(), notes: [...new Set(found.flatMap(unusable))] };
}

function find(name: string, servers: readonly ServerView[]): ServerView | undefined {
  const wanted = name.toLowerCase();
  const byName = (server: ServerView): boolean => server.name.toLowerCase() === wanted;
  return servers.find(({ id }) => id === wanted) ?? servers.find(byName);
}

/** `@github` names a server; `me@github.com` and a quoted "@channel" don't. */
function mentioned(text: string, servers: readonly ServerView[]): readonly string[] {
  const found = text.slice(0, TEXT_CHARS_MAX).matchAll(MENTION);
  return [...found].map(([, mention = '']) =>
    find(mention, servers) ? mention : mention.replace(/[._-]+$/, ''),
  );
}

const MENTION = /(?<![\p{L}\p{N}._%+@/"'“‘«`-])@([a-z0-9][a-z0-9._-]{0,63})/giu;
const TEXT_CHARS_MAX = 20_000;

/** “using the following list:” is prose: several words of which none is, or is nearly, a server. */
function usedWords(text: string, servers: readonly ServerView[]): readonly string[] {
  const [, list] = USING.exec(text) ?? [];
  if (list === undefined) return [];
  const names = list
    .split(/,|&|\+|\band\b/i)
    .map((name) => name.trim().replace(/^@|^the\s+|\s+servers?$/gi, ''))
    .filter((name) => name !== '');
  const isMeant = (name: string): boolean =>
    find(name, servers) !== undefined || near(name, servers).length > 0 || getFeatured(name) !== undefined;
  return names.some(isMeant) || names.every((name) => ONE_WORD.test(name)) ? names : [];
}

const USING = /^\s*(?:using|use|with)\s+([^:\n]{1,200}):/i;
const ONE_WORD = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

function absent(name: string, servers: readonly ServerView[], isFromText: boolean): never {
  const shown = name.slice(0, NAME_CHARS_SHOWN);
  const suggestions = near(name, servers);
  const featured = suggestions.length === 0 ? getFeatured(name) : undefined;
  const escape = isFromText
    ? ` If you don’t mean a server, write "@${shown}" in quotes or reword “using”.`
    : '';
  const message = `There is no server “${shown}”, so nothing was sent. ${didYouMean(suggestions)}`.trim();
  throw new PlugError('not_found', `${message}${suggestions.length > 0 || featured ? '' : escape}`, {
    owner: 'you',
    remedy: featured ? { do: 'add-server', name: featured.id } : { do: 'show', what: 'servers' },
    details: { suggestions: [...suggestions] },
  });
}

function near(name: string, servers: readonly ServerView[]): readonly string[] {
  const known = servers.flatMap((server) => [server.id, server.name.toLowerCase()]);
  return suggest(name, [...new Set(known)]);
}

function unusable({ id, state }: ServerView): readonly string[] {
  if (!UNUSABLE.has(state.kind)) return [];
  return [
    `${id} cannot be used now: ${state.reason}${state.next === undefined ? '' : ` Next: ${state.next}`}`,
  ];
}

const UNUSABLE = new Set<string>(['disabled', 'failed', 'needs-sign-in', 'needs-input', 'quarantined']);
const NAME_CHARS_SHOWN = 80;
