import { nextStep } from '../../base/remedy-command.ts';
import { limits } from '../../base/limits.ts';
import { findBlocks } from './blocks.ts';
import { cleanText } from './clean-text.ts';
import { linkWarnings } from './link-safety.ts';
import { mergeFound } from './merge.ts';
import { needsOf } from './needs.ts';
import type {
  Paste,
  PasteChange,
  PasteOptions,
  PasteProblem,
  PastedServer,
  PastedTransport,
} from './paste.ts';
import { declinedRemotely } from './remote-only.ts';
import { addressReader } from './readers/address.ts';
import { deepLinkReader } from './readers/deep-link.ts';
import { jsonReader } from './readers/json.ts';
import { lispReader } from './readers/lisp.ts';
import { linkReader } from './readers/link.ts';
import { plainWordsReader } from './readers/plain-words.ts';
import { proseReader } from './readers/prose.ts';
import { shellReader } from './readers/shell.ts';
import { tomlReader } from './readers/toml.ts';
import { yamlReader } from './readers/yaml.ts';
import {
  Budget,
  type Draft,
  type Found,
  Lines,
  OutOfTime,
  type Reader,
  type Reading,
  type View,
  blank,
} from './view.ts';
import { headerPair, transportOfUrl } from './entry.ts';

/** In order: each reader sees only the text that earlier ones didn't claim. */
const READERS: readonly Reader[] = [
  deepLinkReader,
  shellReader,
  jsonReader,
  tomlReader,
  yamlReader,
  lispReader,
  linkReader,
  proseReader,
  addressReader,
  plainWordsReader,
];

/** Pure, bounded in time, and never throws: failures are in `problems` or `notMcp`. */
export function parsePaste(text: string, options: PasteOptions = {}): Paste {
  if (text.length > limits.pasteCharsMax) return refused(tooLong(text.length));
  if (text.trim() === '')
    return refused({
      message: 'Nothing was pasted.',
      severity: 'error',
      owner: 'you',
      ...nextStep('Paste an address, a config, a command or a link.'),
    });
  const clean = cleanText(text);
  const blocked = findBlocks(clean.text);
  const readings = readAll(blocked.text, blocked.blocks, options);
  const all = <T>(field: (reading: Reading) => readonly T[] | undefined): readonly T[] =>
    readings.done.flatMap((reading) => field(reading) ?? []);
  const lines = new Lines(blocked.text);
  const kept = mergeFound(
    all((reading) => reading.found),
    readings.done.find((reading) => reading.name !== undefined)?.name,
  ).slice(0, limits.pasteServersMax);
  const servers = kept.map((item) => finish(item, lines, options));
  const problems = [...all((reading) => reading.problems), ...linkWarnings(servers), ...readings.problems];
  if (servers.length >= limits.pasteServersMax) problems.push(TOO_MANY);
  const changes = [...clean.changes, ...blocked.changes, ...all((reading) => reading.changes)];
  const notMcp =
    servers.length > 0
      ? undefined
      : (readings.done.find((reading) => reading.notMcp !== undefined)?.notMcp ??
        describeUnread(blocked.text));
  if (servers.length === 0 && notMcp === undefined && problems.every(({ severity }) => severity !== 'error'))
    problems.push(UNREADABLE);
  const corrected = all((reading) => reading.corrected);
  return {
    format: notMcp === undefined ? formatOf(readings.done, kept, servers.length) : 'not an MCP config',
    servers,
    problems: problems.slice(0, limits.pasteProblemsMax),
    ...(changes.length > 0 && servers.length > 0
      ? { repair: repairOf(corrected, blocked.text, changes) }
      : {}),
    ...(notMcp === undefined ? {} : { notMcp }),
  };
}

function readAll(
  text: string,
  blocks: View['blocks'],
  options: PasteOptions,
): { readonly done: readonly Reading[]; readonly problems: PasteProblem[] } {
  const budget = new Budget();
  const lines = new Lines(text);
  const done: Reading[] = [];
  const problems: PasteProblem[] = [];
  let rest = text;
  try {
    for (const reader of READERS) {
      const reading = reader.read({ text: rest, blocks, lines, budget, featured: options.featured });
      done.push(reading);
      rest = blank(rest, reading.claims);
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { done, problems: [TOO_INTRICATE] };
  }
  if (budget.wasOver) problems.push(TOO_INTRICATE);
  return { done, problems };
}

function finish({ draft, at }: Found, lines: Lines, { remoteOnly = false }: PasteOptions): PastedServer {
  const { asked: _asked, ...rest } = draft;
  const alt = rest.alt ?? unwrapped(draft);
  const server = { ...rest, needs: needsOf(draft), ...(alt ? { alt } : {}), line: lines.at(at) };
  const declined = remoteOnly ? declinedRemotely(server) : undefined;
  return declined === undefined ? server : { ...server, declined };
}

function formatOf(readings: readonly Reading[], kept: readonly Found[], count: number): string {
  if (count === 0) return 'not understood';
  const formats = readings.filter((reading) =>
    reading.found.some((item) =>
      kept.some((other) => other.document === item.document && other.rank === item.rank),
    ),
  );
  const words = [
    ...new Set(formats.map((reading) => reading.format).filter((format) => format !== undefined)),
  ];
  const format = words.length > 1 ? `text with ${words.slice(0, 3).join(' and ')}` : (words[0] ?? 'text');
  return `${format}, ${count} ${count === 1 ? 'server' : 'servers'}`;
}

function repairOf(
  corrected: readonly string[],
  text: string,
  changes: readonly PasteChange[],
): NonNullable<Paste['repair']> {
  const distinct = new Map(changes.map((change) => [`${change.line} ${change.what}`, change]));
  return {
    text: corrected.length > 0 ? corrected.join('\n\n') : text.trim(),
    changes: [...distinct.values()].toSorted((a, b) => a.line - b.line).slice(0, limits.pasteChangesMax),
  };
}

const TOO_INTRICATE: PasteProblem = {
  message: 'The paste is too intricate to read in the time allowed; only a part of it was read.',
  severity: 'warning',
  owner: 'you',
  ...nextStep('Paste only the part that describes the server.'),
};

const TOO_MANY: PasteProblem = {
  message: `Only the first ${limits.pasteServersMax} servers were read.`,
  severity: 'warning',
  owner: 'you',
  ...nextStep('Paste the rest on its own.'),
};

const UNREADABLE: PasteProblem = {
  message:
    'No server was found in this text. Looked for an address, a JSON, TOML or YAML config, a command, an install link, a package or registry link, and names of well-known servers.',
  severity: 'error',
  owner: 'you',
  ...nextStep('Paste one of these, or search for the server by name.'),
};

function tooLong(length: number): PasteProblem {
  const megabytes = (length / 1024 / 1024).toFixed(1);
  return {
    message: `The paste has ${megabytes} million characters; at most one million is read.`,
    severity: 'error',
    owner: 'you',
    ...nextStep('Paste only the part that describes the server.'),
  };
}

function refused(problem: PasteProblem): Paste {
  return { format: 'not understood', servers: [], problems: [problem] };
}

const BRIDGE =
  /^(?:mcp-remote|@[\w-]+\/mcp-remote|mcp-proxy|supergateway|@pyroprompts\/mcp-stdio-to-streamable-http-adapter)(?:@[\w.-]+)?$/;

function unwrapped({ command, args = [] }: Draft): PastedServer['alt'] {
  const at = command !== undefined && BRIDGE.test(command) ? -1 : args.findIndex((arg) => BRIDGE.test(arg));
  if (at < 0 && !BRIDGE.test(command ?? '')) return undefined;
  const behind = args.slice(at + 1);
  const url = behind.find((arg) => /^(?:https?|wss?):\/\//i.test(arg) || /^\$\{[^}]*url[^}]*\}$/i.test(arg));
  if (url === undefined) return undefined;
  const headers = behind.flatMap((arg, index) => {
    const line = arg === '--header' || arg === '-H' ? behind[index + 1] : /^--header=([^]+)$/.exec(arg)?.[1];
    return line === undefined ? [] : [headerPair(line)];
  });
  const forced = behind.find((_, index) => behind[index - 1] === '--transport');
  const transport: PastedTransport = forced?.startsWith('sse')
    ? 'sse'
    : forced?.startsWith('http')
      ? 'http'
      : transportOfUrl(url);
  return { transport, url, ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}) };
}

/** Known texts that hold no server. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(?:\$ )?(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|link)\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “npx -y NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:pip3?|uv pip|pipx|uv tool) install\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “uvx NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:brew|apt|apt-get|cargo|go|winget|choco) (?:install|get)\b/m,
    'This installs a program; it starts no server. Paste the command that starts it.',
  ],
  [
    /^\s*(?:\$ )?docker run\b[^\n]*\s-[a-z]*d/m,
    'This container runs in the background (-d). Paste the address of its MCP endpoint, or its “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?docker (?:build|pull|compose|ps|push)\b/m,
    'This Docker command starts no server. Paste the “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?(?:curl|wget)\s/m,
    'This fetches an address; it is no server. Paste the address of the MCP endpoint itself.',
  ],
  [
    /^\s*(?:FROM \S+|# syntax=docker)/m,
    'This is a Dockerfile, not a server. Paste the “docker run -i” command of its image.',
  ],
  [
    /^\s*(?:\$ )?(?:cd|ls|mkdir|make|npm run|npm start|export|sudo)\b/m,
    'This is a shell command that starts no MCP server. Paste the command or the config that the README shows for MCP clients.',
  ],
  [
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m,
    'This is a private key, not a server. Keep it to yourself; paste the server first, and it will ask for the key.',
  ],
  [
    /^(?:sk|ghp|gho|xox[bp]|pk|AKIA|glpat)[-_A-Za-z0-9]{16,}\s*$/m,
    'This looks like a secret, not a server. Paste the server first, and it will ask for the key.',
  ],
];

function describeUnread(text: string): string | undefined {
  const start = text.slice(0, 20_000);
  return KNOWN.find(([pattern]) => pattern.test(start))?.[1];
}
