import { splitPair, readEntry, transportOfUrl } from '../entry.ts';
import { isObject } from '../../../base/json.ts';
import { findServers } from '../containers.ts';
import { readLenientJson } from '../lenient-json.ts';
import { splitWords } from '../words.ts';
import type { Budget, Draft } from '../view.ts';
import { readAddCommand } from './add-command.ts';
import { readInstaller, readSmithery } from './installers.ts';
import { type CommandReading, noServer, refReading, type Words } from './reading.ts';
import { isOtherTool, isRunner, localDraft, programOf, readRunCommand } from './run-command.ts';
import { readToolHive } from './toolhive.ts';

type Read = (words: Words, budget: Budget) => CommandReading | undefined;

const KNOWN: readonly Read[] = [
  readInstaller,
  readAddJson,
  readMcpAdd,
  readAddMcpFlag,
  readGoose,
  readCatalog,
  readRepository,
  readToolHive,
];

/** `env` holds the variables before the command. */
export function readKnownCommand(
  words: Words,
  env: Readonly<Record<string, string>>,
  budget: Budget,
): CommandReading | undefined {
  for (const read of KNOWN) {
    const reading = read(words, budget);
    if (reading) return reading;
  }
  const { line, given } = inspected(words) ?? { line: words, given: {} };
  if (isOtherTool(line)) return noServer(commandFormat(line[0]));
  const run = readRunCommand(line, { ...env, ...given });
  return run && { drafts: [run], rank: 'command', format: commandFormat(run.command) };
}

function commandFormat(command = ''): string {
  const program = programOf(command);
  return `${/^(?:npx|npm)$/.test(program) ? 'an' : 'a'} ${program} command`;
}

function readMcpAdd(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.findIndex((word, index) => /^\/?mcp$/.test(word) && words[index + 1] === 'add');
  const direct = /^\/(?:add-mcp|mcp-add)$/.test(words[0] ?? '');
  const known = at >= 0 && at <= 4;
  if (!known && !direct) return undefined;
  const behind = words.slice(known ? at + 2 : 1);
  const client = words[at - 1] ?? 'client';
  if (/smithery/.test(client)) return readSmithery(behind, budget);
  const draft = readAddCommand(behind);
  const format = `${programOf(client).replace(/@.*$/, '') || 'client'} mcp add`;
  return draft && { drafts: [draft], rank: 'config', format };
}

/** `… mcp add-json NAME '{…}'`, for any client and verb. */
function readAddJson(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.findIndex((word, index) => word === 'mcp' && VERBS.test(words[index + 1] ?? ''));
  const behind = at < 0 || at > 4 ? [] : words.slice(at + 2);
  const json = behind.findIndex((word) => /^\s*\{/.test(word));
  const name = behind.find(
    (word, index) => index !== json && !word.startsWith('-') && !/^(?:user|project|local)$/.test(word),
  );
  // What comes through a pipe stands before the command.
  if (name !== undefined && behind.includes('--stdin'))
    return { ...noServer(`${words[at - 1] ?? 'client'} mcp ${words[at + 1]}`), name };
  if (json < 0 || behind.includes('--')) return undefined;
  const drafts = fromJson(behind[json] ?? '', name ?? null, budget);
  return { drafts, rank: 'config', format: `${words[at - 1] ?? 'client'} mcp ${words[at + 1]}` };
}

const VERBS = /^(?:add|set|install|add-json|set-json)$/;

/** `code --add-mcp '{…}'` and its forks. */
function readAddMcpFlag(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.indexOf('--add-mcp');
  if (at < 1 || at > 3) return undefined;
  return {
    drafts: fromJson(words[at + 1] ?? '', null, budget),
    rank: 'config',
    format: `${programOf(words[0] ?? 'code')} --add-mcp`,
  };
}

function fromJson(text: string, name: string | null, budget: Budget): readonly Draft[] {
  const value = readLenientJson(text, 0, { budget })?.value;
  if (!isObject(value)) return [];
  const { servers } = findServers(value);
  if (servers.length > 0)
    return servers.map(({ draft }) =>
      servers.length === 1 ? { ...draft, name: name ?? draft.name } : draft,
    );
  const reading = readEntry(value, name);
  return reading.kind === 'server' ? [reading.draft] : [];
}

/** `goose session --with-extension "K=V command args"` and `/extension command args`. */
function readGoose(words: Words): CommandReading | undefined {
  if (words[0] === '/extension') {
    const draft = lineDraft(words.slice(1));
    return draft && { drafts: [draft], rank: 'config', format: 'goose /extension' };
  }
  if (words[0] !== 'goose') return undefined;
  const drafts = words.flatMap((word, index): readonly Draft[] => {
    const next = words[index + 1] ?? '';
    const draft = word === '--with-extension' ? lineDraft(splitWords(next)) : undefined;
    if (draft) return [draft];
    if (!/^--with-(?:remote|streamable-http|sse)-extension$/.test(word)) return [];
    const url = next.split(/\s+/)[0] ?? '';
    return [{ name: null, transport: word.includes('sse') ? 'sse' : transportOfUrl(url), url, extra: {} }];
  });
  return drafts.length > 0 ? { drafts, rank: 'config', format: 'goose command' } : undefined;
}

export function lineDraft(words: Words): Draft | undefined {
  const { env, rest } = leadingVariables(words);
  const [command, ...args] = rest;
  return command === undefined || command === '' ? undefined : localDraft(command, args, env);
}

/** `A=1 B=2 command` and `env A=1 command`. */
export function leadingVariables(words: Words): {
  readonly env: Record<string, string>;
  readonly rest: Words;
} {
  const pairs: [string, string][] = [];
  let at = /^(?:env|cross-env|sudo)$/.test(words[0] ?? '') ? 1 : 0;
  for (; /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[at] ?? ''); at += 1)
    pairs.push(splitPair(words[at] ?? '', '='));
  return { env: Object.fromEntries(pairs), rest: words.slice(at) };
}

interface Inspected {
  readonly line: Words;
  readonly given: Readonly<Record<string, string>>;
}

/** The command that an inspector would start, with the variables it would set; empty if it starts none. */
function inspected(words: Words): Inspected | undefined {
  const at = words.findIndex((word) => /^@modelcontextprotocol\/inspector(?:@[\w.-]+)?$/.test(word));
  if (at < 0 || at > 3) return undefined;
  const behind = words
    .slice(at + 1)
    .filter(
      (word, index, all) => !/^(?:--cli|--)$/.test(word) && !/^--config|^--server/.test(all[index - 1] ?? ''),
    );
  const first = behind.findIndex((word, index) => isRunner(word, behind.slice(index + 1)));
  const own = behind.slice(0, first < 0 ? undefined : first);
  const pairs = own.flatMap((word, index) => (own[index - 1] === '-e' ? [splitPair(word, '=')] : []));
  const given = Object.fromEntries(pairs);
  if (first >= 0) return { line: behind.slice(first), given };
  // `inspector @scope/package` means the package, which npx would start.
  const pack = own.findIndex((word) => /^@[\w.-]+\/[\w.-]+(?:@[\w.-]+)?$/.test(word));
  return { line: pack < 0 ? [] : ['npx', '-y', ...own.slice(pack)], given };
}

/** `docker mcp server enable NAME`. */
function readCatalog(words: Words): CommandReading | undefined {
  if (words[0] !== 'docker' || words[1] !== 'mcp' || words[2] !== 'server') return undefined;
  const at = words.findIndex((word) => word === 'enable' || word === 'add');
  const names = at < 0 ? [] : words.slice(at + 1).filter((word) => !word.startsWith('-'));
  if (names.length === 0) return undefined;
  const drafts = names.map((id) => ({
    name: id,
    transport: null,
    ref: { kind: 'docker-catalog' as const, id },
    extra: {},
  }));
  return { drafts, rank: 'link', format: 'docker mcp' };
}

/** `git clone URL` and `gemini extensions install URL`. */
function readRepository(words: Words): CommandReading | undefined {
  const clones = words[0] === 'git' && words[1] === 'clone';
  if (!clones && !(words.includes('extensions') && words.includes('install'))) return undefined;
  const [id] = words.flatMap((word) => REPOSITORY.exec(word)?.[1] ?? []);
  return id === undefined
    ? undefined
    : refReading({ kind: 'github', id }, clones ? 'git clone' : 'an extension link');
}

const REPOSITORY =
  /^(?:git\+)?(?:https?:\/\/github\.com\/|git@github\.com:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;
