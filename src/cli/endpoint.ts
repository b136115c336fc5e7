import { usage } from './failures.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Endpoint } from '../servers/definition.ts';

/** What was typed after `plug add NAME`. */
export interface EndpointWords {
  /** A command with its arguments, or one address. */
  readonly words: readonly string[];
  /** Whether `--` stood before them, so that their dashes are theirs. */
  readonly separated: boolean;
  /** `K=V`, each. */
  readonly env: readonly string[];
  /** `K: V`, each. */
  readonly header: readonly string[];
  readonly cwd: string | undefined;
  readonly transport: string | undefined;
}

/** How the server is reached: one address, or a command line. */
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
