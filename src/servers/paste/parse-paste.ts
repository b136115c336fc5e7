import type { Draft, Finding, Reader, Reading, View } from './view.ts';
import { lineAtIn, Budget, OutOfTime, blank } from './view.ts';
import { defined } from '../../base/defined.ts';
import { describeLookAlikeText } from './look-alikes.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { limits } from '../../base/limits.ts';
import { alternativesIn } from './alternatives.ts';
import { findBlocks, cleanText } from './clean-text.ts';
import { mergeFound } from './merge.ts';
import { repairOf } from './repair.ts';
import { needsOf } from './needs.ts';
import type { Paste, PasteOptions, PasteProblem, PastedServer } from './paste.ts';
import { declinedRemotely } from './remote-only.ts';
import { addressReader, proseReader } from './readers/prose.ts';
import { codeReader } from './readers/code.ts';
import { deepLinkReader } from './readers/deep-link.ts';
import { jsonReader } from './readers/json.ts';
import { lispReader } from './readers/lisp.ts';
import { linkReader } from './readers/link.ts';
import { plainWordsReader } from './readers/plain-words.ts';
import { shellReader } from './readers/shell.ts';
import { tomlReader } from './readers/toml.ts';
import { yamlReader } from './readers/yaml.ts';
import { normalizePasted } from './definition-from.ts';
import { dangerousNames } from '../entry/notes.ts';
import { unwrap } from '../entry/unwrap.ts';
import { programOf } from './commands/run-command.ts';

/** In order: each reader sees only the text that earlier ones didn't claim. */
const READERS: readonly Reader[] = [
  deepLinkReader,
  codeReader,
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
  if (text.trim() === '') return refused(problem('error', 'Nothing was pasted.', PASTE_SOMETHING));
  const clean = cleanText(text);
  const blocked = findBlocks(clean.text);
  const view = { blocks: blocked.blocks, lineAt: lineAtIn(blocked.text), featured: options.featured };
  const readings = readAll(blocked.text, view);
  const all = <T>(field: (reading: Reading) => readonly T[] | undefined): readonly T[] =>
    readings.done.flatMap((reading) => field(reading) ?? []);
  const kept = mergeFound(
    all((reading) => reading.found),
    readings.done.find((reading) => reading.name !== undefined)?.name,
  ).slice(0, limits.pasteServersMax);
  const servers = kept.map((item) => finish(item, view, options));
  const alternatives = alternativesIn(kept);
  const problems = [
    ...all((reading) => reading.problems),
    ...linkWarnings(servers),
    ...servers.flatMap(notesOn),
    ...readings.problems,
  ];
  if (servers.length >= limits.pasteServersMax) problems.push(TOO_MANY);
  const changes = [...clean.changes, ...blocked.changes, ...all((reading) => reading.changes)];
  const notMcp =
    servers.length > 0
      ? undefined
      : (readings.done.find((reading) => reading.notMcp !== undefined)?.notMcp ??
        describeLookAlikeText(blocked.text));
  if (servers.length === 0 && notMcp === undefined && problems.every(({ severity }) => severity !== 'error'))
    problems.push(UNREADABLE);
  const edits = [...blocked.edits, ...all((reading) => reading.edits)];
  return {
    format: notMcp === undefined ? formatOf(readings.done, kept, servers.length) : 'not an MCP config',
    servers,
    ...defined({ alternatives: alternatives.length > 0 ? alternatives : undefined }),
    problems: problems.slice(0, limits.pasteProblemsMax),
    ...(changes.length > 0 && servers.length > 0
      ? { repair: repairOf({ pasted: text, readable: blocked.readable, edits, changes }) }
      : {}),
    ...defined({ notMcp }),
  };
}

function readAll(
  text: string,
  view: Omit<View, 'text' | 'budget'>,
): { readonly done: readonly Reading[]; readonly problems: readonly PasteProblem[] } {
  const budget = new Budget();
  const done: Reading[] = [];
  let rest = text;
  try {
    for (const reader of READERS) {
      const reading = reader.read({ ...view, text: rest, budget });
      done.push(reading);
      rest = blank(rest, reading.claims);
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { done, problems: [TOO_INTRICATE] };
  }
  return { done, problems: budget.wasOver ? [TOO_INTRICATE] : [] };
}

function finish(
  { draft, at }: Finding,
  { lineAt }: Pick<View, 'lineAt'>,
  { remoteOnly = false }: PasteOptions,
): PastedServer {
  const alt = draft.alt ?? unwrapped(draft);
  const server = { ...draft, needs: needsOf(draft), ...defined({ alt }), line: lineAt(at) };
  return { ...server, ...defined({ declined: remoteOnly ? declinedRemotely(server) : undefined }) };
}

function formatOf(readings: readonly Reading[], kept: readonly Finding[], count: number): string {
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

const PASTE_SOMETHING = 'Paste an address, a config, a command or a link.';
const PASTE_LESS = 'Paste only the part that describes the server.';

const TOO_INTRICATE: PasteProblem = problem(
  'warning',
  'The paste is too intricate to read in the time allowed; only a part of it was read.',
  PASTE_LESS,
);

const TOO_MANY: PasteProblem = problem(
  'warning',
  `Only the first ${limits.pasteServersMax} servers were read.`,
  'Paste the rest on its own.',
);

const UNREADABLE: PasteProblem = problem(
  'error',
  'No server found in this text: no URL, no JSON, TOML or YAML config, no command, no install, package or registry link, and no well-known name.',
  'Paste one of these, or search for the server by name.',
);

function tooLong(length: number): PasteProblem {
  const megabytes = (length / 1024 / 1024).toFixed(1);
  const message = `The paste has ${megabytes} million characters; at most one million is read.`;
  return problem('error', message, PASTE_LESS);
}

function problem(severity: PasteProblem['severity'], message: string, next: string): PasteProblem {
  return { message, severity, owner: 'you', ...nextStep(next) };
}

function refused(problem: PasteProblem): Paste {
  return { format: 'not understood', servers: [], problems: [problem] };
}

function unwrapped({ command, args = [], env = {} }: Draft): PastedServer['alt'] {
  if (command === undefined) return undefined;
  const { endpoint } = unwrap({ kind: 'stdio', command, args, env });
  if (endpoint.kind === 'stdio') return undefined;
  const { kind: transport, url, headers } = endpoint;
  return { transport, url, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
}

/** What the entry says and Plugboard reads otherwise, or does not act on. */
function notesOn(server: PastedServer): readonly PasteProblem[] {
  const { name, command, url, declined, line } = server;
  if ((command === undefined && url === undefined) || declined !== undefined) return [];
  const { notes } = normalizePasted(server, { source: { kind: 'manual' } });
  const who = name === null ? '' : `“${name.slice(0, 80)}”: `;
  return notes.map((note) => ({
    message: `${who}${note}`,
    severity: 'info' as const,
    owner: 'you' as const,
    ...defined({ line }),
  }));
}

/** Warnings before a pasted server runs: pastes are untrusted. */
function linkWarnings(servers: readonly PastedServer[]): readonly PasteProblem[] {
  return servers.flatMap((server) =>
    reasons(server).map((message) => ({
      message,
      severity: 'warning' as const,
      owner: 'you' as const,
      ...defined({ line: server.line }),
    })),
  );
}

function reasons({ name, command, args = [], env = {} }: PastedServer): readonly string[] {
  if (command === undefined) return [];
  const who = name === null ? 'The command' : `“${name.slice(0, 80)}”`;
  const program = programOf(command);
  const found: string[] = [];
  if (
    /^(?:sh|bash|zsh|fish|powershell|pwsh)$/.test(program) &&
    args.some((arg) => /^-(?:c|\w*c|Command|EncodedCommand)$/i.test(arg))
  ) {
    found.push(`${who} runs a whole shell script; read it before you add it.`);
  }
  if (program === 'npx' && args.some((arg) => arg === '-c' || arg === '--call'))
    found.push(`${who} makes npx run a shell script (-c); read it before you add it.`);
  const names = dangerousNames(env);
  if (names.length > 0)
    found.push(`${who} sets ${names.slice(0, 5).join(', ')}, which can change what code runs.`);
  return found;
}
