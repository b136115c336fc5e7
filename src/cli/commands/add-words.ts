import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWords } from '../../base/shell-words.ts';
import { isServerId, type Endpoint } from '../../servers/definition.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import { usage, userError } from '../failures.ts';
import { isPasteFile, readPasteFile, type PasteInput } from '../paste-input.ts';
import type { Session } from '../session.ts';
import { PAIR, splitAt } from './pair.ts';

export interface AddWords {
  readonly first?: string;
  readonly more: readonly string[];
  readonly name?: string;
  readonly argv: readonly string[];
}

interface Anything {
  readonly input: PasteInput;
  readonly name: string | undefined;
  readonly pairs: readonly string[];
  /** Typed behind the name of a known server: `plug add filesystem ~/Documents`. */
  readonly paths?: readonly string[];
}

/** Undefined for `plug add NAME -- COMMAND` and `plug add NAME URL`. */
export async function wantsAnything(typed: AddWords, session: Session): Promise<Anything | undefined> {
  const { first, more, name, argv } = typed;
  if (first === undefined) throw usage('Nothing to add.', 'plug add ANYTHING, or plug add NAME -- COMMAND');
  const dashes = argv.indexOf('--');
  if (dashes >= 0) {
    const named = name === undefined && argv.slice(argv.indexOf('add') + 1, dashes).includes(first);
    return named ? undefined : words(shellWords([first, ...more]), name, []);
  }
  const pairs = more.filter((word) => PAIR.test(word));
  const rest = more.filter((word) => !PAIR.test(word));
  const [second] = rest;
  const inFile = async (word: string): Promise<boolean> =>
    word === '-' || (await isPasteFile(word, session.cwd));
  if (second === undefined) {
    if (await inFile(first)) return { input: await readPasteFile(first, session), name, pairs };
    checkPath(first);
    return words(first, name, pairs);
  }
  if (rest.length === 1 && isServerId(first) && name === undefined) {
    if (/^(https?|wss?):\/\//i.test(second)) return undefined;
    if (/^\s*[{[]/.test(second)) return words(second, first, pairs);
    if (await inFile(second)) return { input: await readPasteFile(second, session), name: first, pairs };
  }
  if (rest.every(isPath) && (featuredLookup.find(first) ?? featuredLookup.near?.(first)))
    return { ...words(first, name, pairs), paths: rest };
  // Several words are a wish, unless they are a command: its options would have been taken for ours.
  const text = [first, ...rest].join(' ');
  const { servers } = parsePaste(text, { featured: featuredLookup });
  const wish =
    servers.length > 0
      ? servers.every(({ ref, command }) => ref || !command)
      : rest.length > 0 && !PROGRAM.test(text);
  return wish ? words(text, name, pairs) : undefined;
}

/** `NAME K=V -- COMMAND`: what stands before the dashes is no part of the command. */
export function splitPairs({ more, argv }: AddWords): {
  readonly pairs: readonly string[];
  readonly words: readonly string[];
} {
  const dashes = argv.indexOf('--');
  const count = dashes < 0 ? more.length : argv.length - dashes - 1;
  const before = more.slice(0, more.length - count);
  const isPair = (word: string): boolean => PAIR.test(word);
  if (dashes < 0) return { pairs: more.filter(isPair), words: more.filter((word) => !isPair(word)) };
  return { pairs: before, words: more.slice(more.length - count) };
}

function words(text: string, name: string | undefined, pairs: readonly string[]): Anything {
  return { input: { from: 'words', text }, name, pairs };
}

const PROGRAM =
  /(^|\s)(npx|npm|pnpm|bunx?|uvx?|pipx|python3?|node|deno|docker|podman|dnx|[^\s]*\/[^\s]*)(\s|$)/;

function isPath(word: string): boolean {
  return /^(?:\.{1,2}|~)?(?:[/\\]|$)|^[A-Za-z]:[/\\]/.test(word);
}

/** What looks like a path is not searched for in registries when there is no such file. */
function checkPath(word: string): void {
  if (!/^(\.{1,2}|~)?[/\\]|\.(jsonc?|toml|ya?ml|png|jpe?g|txt|md)$/i.test(word) || /\s/.test(word)) return;
  if (/^[a-z][a-z0-9+.-]*:/i.test(word)) return;
  throw userError('not_found', `There is no file ${word}.`);
}

interface EndpointWords {
  readonly words: readonly string[];
  readonly separated: boolean;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly cwd: string | undefined;
  readonly transport: string | undefined;
}

export function endpointFrom(typed: EndpointWords, cwd: string): Endpoint {
  const [first] = typed.words;
  if (first === undefined) throw usage('Nothing to add.', 'plug add NAME -- COMMAND, or plug add NAME URL');
  const url = typed.words.length === 1 ? urlOf(first) : undefined;
  if (url !== undefined) return remoteEndpoint(typed, url);
  // Without the dashes an option such as npx's -y would be taken for ours, and not be passed on.
  if (!typed.separated) throw usage('Put -- before the command.', 'plug add NAME -- COMMAND');
  return localEndpoint(typed, cwd);
}

function localEndpoint({ words, env, header, cwd, transport }: EndpointWords, here: string): Endpoint {
  if (header.length > 0) throw usage('--header is for servers with an address, not for commands.');
  if (transport !== undefined && transport !== 'stdio')
    throw usage(`--transport ${transport} needs an address, not a command.`);
  const [command = '', ...args] = words;
  const folder = cwd === undefined ? folderNeeded(words, here) : resolve(here, cwd);
  return {
    kind: 'stdio',
    command,
    args,
    env: Object.fromEntries(env.map((pair) => splitAt(pair, '=', '--env takes K=V.'))),
    ...(folder === undefined ? {} : { cwd: folder }),
  };
}

/** The hub works elsewhere: a path relative to the folder in which it was typed must stay so. */
function folderNeeded(words: readonly string[], here: string): string | undefined {
  const existsHere = (word: string): boolean =>
    !/^([/\\~]|[a-z]:)/i.test(word) && existsSync(resolve(here, word));
  const relative = words.some(
    (word) => /^\.{1,2}([/\\]|$)/.test(word) || (/[/\\.]/.test(word) && existsHere(word)),
  );
  return relative ? here : undefined;
}

function remoteEndpoint({ env, header, cwd, transport }: EndpointWords, url: URL): Endpoint {
  if (env.length > 0 || cwd !== undefined)
    throw usage('--env and --cwd are for commands; an address takes --header.');
  const kind = transport ?? (url.protocol.startsWith('ws') ? 'ws' : 'http');
  if (kind !== 'http' && kind !== 'sse' && kind !== 'ws')
    throw usage(`There is no transport “${kind}” for an address.`, 'Use --transport http, sse or ws.');
  if (url.username !== '' || url.password !== '')
    throw usage('An address may not hold a user name or password.', "Use --header 'Authorization: …'.");
  return {
    kind,
    url: url.href,
    headers: Object.fromEntries(header.map((pair) => splitAt(pair, ':', "--header takes 'K: V'."))),
  };
}

function urlOf(word: string): URL | undefined {
  if (!/^(https?|wss?):\/\//i.test(word)) return undefined;
  if (URL.canParse(word)) return new URL(word);
  // It may hold a key: it is not repeated.
  throw usage('That address is not complete.');
}
