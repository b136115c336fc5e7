import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWords } from '../../base/shell-words.ts';
import { isServerId, type Endpoint } from '../../servers/definition.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import { usage, userError } from '../failures.ts';
import { isPasteFile, readPasteFile, type PasteInput } from '../paste-input.ts';
import type { Session } from '../session.ts';

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
}

/** Undefined for `plug add NAME -- COMMAND` and `plug add NAME URL`. */
export async function wantsAnything(words: AddWords, session: Session): Promise<Anything | undefined> {
  const { first, more, name, argv } = words;
  if (first === undefined)
    throw usage('Say what to connect to.', 'plug add ANYTHING, or plug add NAME -- COMMAND');
  const dashes = argv.indexOf('--');
  if (dashes >= 0) {
    const named = name === undefined && argv.slice(argv.indexOf('add') + 1, dashes).includes(first);
    if (named) return undefined;
    return { input: { from: 'words', text: shellWords([first, ...more]) }, name, pairs: [] };
  }
  const values = more.filter((word) => PAIR.test(word));
  const rest = more.filter((word) => !PAIR.test(word));
  const [second] = rest;
  if (second === undefined) {
    if (first === '-' || (await isPasteFile(first, session.cwd)))
      return { input: await readPasteFile(first, session), name, pairs: values };
    checkPath(first);
    return { input: { from: 'words', text: first }, name, pairs: values };
  }
  if (rest.length === 1 && isServerId(first) && name === undefined) {
    if (/^(https?|wss?):\/\//i.test(second)) return undefined;
    if (/^\s*[{[]/.test(second))
      return { input: { from: 'words', text: second }, name: first, pairs: values };
    if (second === '-' || (await isPasteFile(second, session.cwd)))
      return { input: await readPasteFile(second, session), name: first, pairs: values };
  }
  // Several words are a wish, unless they are a command: its options would have been taken for ours.
  const text = [first, ...rest].join(' ');
  const { servers } = parsePaste(text, { featured: featuredLookup });
  const wish =
    servers.length > 0
      ? servers.every(({ ref, command }) => ref || !command)
      : rest.length > 0 && !PROGRAM.test(text);
  return wish ? { input: { from: 'words', text }, name, pairs: values } : undefined;
}

const PAIR = /^[A-Za-z_][\w.:-]*=/;

const PROGRAM =
  /(^|\s)(npx|npm|pnpm|bunx?|uvx?|pipx|python3?|node|deno|docker|podman|dnx|[^\s]*\/[^\s]*)(\s|$)/;

/** What looks like a path is not searched for in registries when there is no such file. */
function checkPath(word: string): void {
  if (!/^(\.{1,2}|~)?[/\\]|\.(jsonc?|toml|ya?ml|png|jpe?g|txt|md)$/i.test(word) || /\s/.test(word)) return;
  if (/^[a-z][a-z0-9+.-]*:/i.test(word)) return;
  throw userError('not_found', `There is no file ${word}.`);
}

interface EndpointWords {
  readonly words: readonly string[];
  /** Whether `--` stood before them, so that their dashes are theirs. */
  readonly separated: boolean;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly cwd: string | undefined;
  readonly transport: string | undefined;
}

export function endpointFrom(typed: EndpointWords, cwd: string): Endpoint {
  const [first] = typed.words;
  if (first === undefined) {
    throw usage('Say what to connect to.', 'plug add NAME -- COMMAND, or plug add NAME URL');
  }
  const url = typed.words.length === 1 ? urlOf(first) : undefined;
  if (url !== undefined) return remoteEndpoint(typed, url);
  // Without the dashes an option such as npx's -y would be taken for ours, and not be passed on.
  if (!typed.separated) throw usage('Put -- before the command.', 'plug add NAME -- COMMAND');
  return localEndpoint(typed, cwd);
}

function localEndpoint({ words, env, header, cwd, transport }: EndpointWords, here: string): Endpoint {
  if (header.length > 0) throw usage('--header is for servers with an address, not for commands.');
  if (transport !== undefined && transport !== 'stdio') {
    throw usage(`--transport ${transport} needs an address, not a command.`);
  }
  const [command = '', ...args] = words;
  const folder = cwd === undefined ? folderNeeded(words, here) : resolve(here, cwd);
  return {
    kind: 'stdio',
    command,
    args,
    env: Object.fromEntries(env.map((pair) => split(pair, '=', '--env', 'K=V'))),
    ...(folder === undefined ? {} : { cwd: folder }),
  };
}

/** The hub works elsewhere: a path relative to the folder in which it was typed must stay so. */
function folderNeeded(words: readonly string[], here: string): string | undefined {
  const relative = words.some(
    (word) => /^\.{1,2}([/\\]|$)/.test(word) || (/[/\\.]/.test(word) && existsHere(word)),
  );
  return relative ? here : undefined;

  function existsHere(word: string): boolean {
    return !/^([/\\~]|[a-z]:)/i.test(word) && existsSync(resolve(here, word));
  }
}

function remoteEndpoint({ env, header, cwd, transport }: EndpointWords, url: URL): Endpoint {
  if (env.length > 0 || cwd !== undefined) {
    throw usage('--env and --cwd are for commands; an address takes --header.');
  }
  const kind = transport ?? (url.protocol.startsWith('ws') ? 'ws' : 'http');
  if (kind !== 'http' && kind !== 'sse' && kind !== 'ws') {
    throw usage(`There is no transport “${kind}” for an address.`, 'Use --transport http, sse or ws.');
  }
  if (url.username !== '' || url.password !== '') {
    throw usage('An address may not hold a user name or password.', "Use --header 'Authorization: …'.");
  }
  return {
    kind,
    url: url.href,
    headers: Object.fromEntries(header.map((pair) => split(pair, ':', '--header', "'K: V'"))),
  };
}

function urlOf(word: string): URL | undefined {
  if (!/^(https?|wss?):\/\//i.test(word)) return undefined;
  if (URL.canParse(word)) return new URL(word);
  throw usage(`“${word}” is not a complete address.`);
}

/** By the first separator alone, so that values may hold more of them. */
function split(pair: string, separator: string, option: string, shape: string): readonly [string, string] {
  const at = pair.indexOf(separator);
  const key = pair.slice(0, at).trim();
  // The pair itself is not repeated: it may be a secret that was typed at the wrong place.
  if (at < 1 || key === '') throw usage(`${option} takes ${shape}.`);
  const value = pair.slice(at + 1);
  return [key, separator === ':' ? value.trim() : value];
}
