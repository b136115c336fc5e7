import { commandOf } from '../base/remedy-command.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import type { ServerView } from '../hub/hub.ts';
import { getFeatured } from '../servers/featured.ts';

/** By the request, by `@server` in its text, or by “using GitHub and Linear: …”. */
export function namedServers(
  text: string,
  servers: readonly ServerView[],
  given: readonly string[] | undefined,
): { readonly ids: readonly string[] | undefined; readonly notes: readonly string[] } {
  const names = given ?? [...new Set([...mentioned(text, servers), ...usedWords(text, servers)])];
  if (given === undefined && names.length === 0) return { ids: undefined, notes: [] };
  const ids = new Set<string>();
  const notes: string[] = [];
  for (const name of names) {
    const server = find(name, servers);
    if (server) {
      ids.add(server.id);
      notes.push(...unusable(server));
    } else notes.push(absent(name, servers));
  }
  return { ids: [...ids].toSorted(), notes };
}

function find(name: string, servers: readonly ServerView[]): ServerView | undefined {
  const wanted = name.toLowerCase();
  return (
    servers.find(({ id }) => id === wanted) ?? servers.find((server) => server.name.toLowerCase() === wanted)
  );
}

/** `@github` names a server; `me@github.com` and `@someone` don't, unless the name is close to a server's. */
function mentioned(text: string, servers: readonly ServerView[]): readonly string[] {
  const found = text.slice(0, TEXT_CHARS_MAX).matchAll(MENTION);
  return [...found].flatMap(([, mention = '']) => {
    const name = find(mention, servers) ? mention : mention.replace(/[._-]+$/, '');
    if (find(name, servers)) return [name];
    return isMistaken(name, servers) ? [name] : [];
  });
}

const MENTION = /(?<![\p{L}\p{N}._%+@/-])@([a-z0-9][a-z0-9._-]{0,63})/giu;
const TEXT_CHARS_MAX = 20_000;

function isMistaken(name: string, servers: readonly ServerView[]): boolean {
  return near(name, servers).length > 0 || getFeatured(name) !== undefined;
}

/** “using the following list:” names no server; but a misspelled restriction must not let everything in. */
function usedWords(text: string, servers: readonly ServerView[]): readonly string[] {
  const [, list] = USING.exec(text) ?? [];
  if (list === undefined) return [];
  const names = list
    .split(/,|&|\+|\band\b/i)
    .map((name) => name.trim().replace(/^@|^the\s+|\s+servers?$/gi, ''))
    .filter((name) => name !== '');
  const isMeant = (name: string): boolean => find(name, servers) !== undefined || isMistaken(name, servers);
  return names.some(isMeant) ? names : [];
}

const USING = /^\s*(?:using|use|with)\s+([^:\n]{1,200}):/i;

function absent(name: string, servers: readonly ServerView[]): string {
  const shown = name.slice(0, NAME_CHARS_SHOWN);
  const guesses = near(name, servers);
  if (guesses.length > 0) return `There is no server “${shown}”. ${didYouMean(guesses)}`;
  const featured = getFeatured(name);
  return `There is no server “${shown}”. Next: ${commandOf(featured ? { do: 'add-server', name: featured.id } : { do: 'show', what: 'servers' })}`;
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

const UNUSABLE: ReadonlySet<string> = new Set([
  'disabled',
  'failed',
  'needs-sign-in',
  'needs-input',
  'quarantined',
]);
const NAME_CHARS_SHOWN = 80;
