import { isObject } from '../../../base/json.ts';
import { findServers } from '../containers.ts';
import { readEntry, transportOfUrl } from '../entry.ts';
import { readLenientJson } from '../lenient-json.ts';
import { splitWords } from '../words.ts';
import type { Budget, Draft } from '../view.ts';
import { readAddCommand } from './add-command.ts';
import {
  readCatalog,
  readInstaller,
  readRepository,
  readSmithery,
  type CommandReading,
} from './installers.ts';
import { isRunner, localDraft, programOf, readRunCommand } from './run-command.ts';

type Words = readonly string[];
type Read = (words: Words, budget: Budget) => CommandReading | undefined;

const KNOWN: readonly Read[] = [
  readInstaller,
  readAddJson,
  readMcpAdd,
  readAddMcpFlag,
  readGoose,
  readCatalog,
  readRepository,
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
  const inner = inspected(words);
  const run = readRunCommand(inner ?? words, env);
  if (inner && !run) return undefined;
  return run ? { drafts: [run], rank: 'command', format: commandFormat(run.command) } : undefined;
}

function commandFormat(command = ''): string {
  const program = programOf(command);
  return `${/^(?:npx|npm)$/.test(program) ? 'an' : 'a'} ${program} command`;
}

function readMcpAdd(words: Words): CommandReading | undefined {
  const at = words.findIndex((word, index) => /^\/?mcp$/.test(word) && words[index + 1] === 'add');
  const behind =
    at >= 0 && at <= 4
      ? words.slice(at + 2)
      : /^\/(?:add-mcp|mcp-add)$/.test(words[0] ?? '')
        ? words.slice(1)
        : undefined;
  if (!behind) return undefined;
  const client = words[at - 1] ?? 'client';
  if (/smithery/.test(client)) return readSmithery(behind);
  const draft = readAddCommand(behind);
  return (
    draft && {
      drafts: [draft],
      rank: 'config',
      format: `${programOf(client).replace(/@.*$/, '') || 'client'} mcp add`,
    }
  );
}

/** `… mcp add-json NAME '{…}'`, for any client and verb. */
function readAddJson(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.findIndex((word, index) => word === 'mcp' && VERBS.test(words[index + 1] ?? ''));
  const behind = at < 0 || at > 4 ? [] : words.slice(at + 2);
  const json = behind.findIndex((word) => /^\s*\{/.test(word));
  if (json < 0 || behind.includes('--')) return undefined;
  const name = behind.find(
    (word, index) => index !== json && !word.startsWith('-') && !/^(?:user|project|local)$/.test(word),
  );
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
  const drafts: Draft[] = [];
  words.forEach((word, index) => {
    const next = words[index + 1] ?? '';
    if (word === '--with-extension') {
      const draft = lineDraft(splitWords(next));
      if (draft) drafts.push(draft);
    } else if (/^--with-(?:remote|streamable-http|sse)-extension$/.test(word)) {
      const url = next.split(/\s+/)[0] ?? '';
      drafts.push({
        name: null,
        transport: word.includes('sse') ? 'sse' : transportOfUrl(url),
        url,
        extra: {},
      });
    }
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
  for (; at < words.length; at += 1) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(words[at] ?? '');
    if (!match) break;
    pairs.push([match[1] ?? '', match[2] ?? '']);
  }
  return { env: Object.fromEntries(pairs), rest: words.slice(at) };
}

/** The command that an inspector would start; empty if it starts none. */
function inspected(words: Words): Words | undefined {
  const at = words.findIndex((word) => /^@modelcontextprotocol\/inspector(?:@[\w.-]+)?$/.test(word));
  if (at < 0 || at > 3) return undefined;
  const behind = words
    .slice(at + 1)
    .filter(
      (word, index, all) => !/^(?:--cli|--)$/.test(word) && !/^--config|^--server/.test(all[index - 1] ?? ''),
    );
  const first = behind.findIndex((word, index) => isRunner(word, behind.slice(index + 1)));
  return first < 0 ? [] : behind.slice(first);
}
