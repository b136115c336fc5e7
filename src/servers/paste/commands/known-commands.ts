import { isObject } from '../../../base/json.ts';
import { findServers } from '../containers.ts';
import { readEntry, transportOfUrl } from '../entry.ts';
import { readLenientJson } from '../lenient-json.ts';
import type { PastedRef } from '../paste.ts';
import { splitWords } from '../words.ts';
import type { Budget, Draft, Rank } from '../view.ts';
import { readAddCommand } from './add-command.ts';
import { isRunner, programOf, readRunCommand } from './run-command.ts';

export interface CommandReading {
  readonly drafts: readonly Draft[];
  readonly rank: Rank;
  /** The command in words. */
  readonly format: string;
}

type Words = readonly string[];
type Read = (words: Words, budget: Budget) => CommandReading | undefined;

/** Tried in order; the first that knows the command answers. */
const KNOWN: readonly Read[] = [readInstaller, readAddJson, readMcpAdd, readAddMcpFlag, readGoose, readCatalog, readRepository];

/** What one command says, if it is about a server at all. `env` stands before the command. */
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
  return run ? { drafts: [run], rank: 'command', format: `a ${programOf(run.command ?? '')} command` } : undefined;
}

/** `… mcp add NAME …`, whatever the client. */
function readMcpAdd(words: Words): CommandReading | undefined {
  const at = words.findIndex((word, index) => /^\/?mcp$/.test(word) && words[index + 1] === 'add');
  const behind = at >= 0 && at <= 4 ? words.slice(at + 2) : /^\/(?:add-mcp|mcp-add)$/.test(words[0] ?? '') ? words.slice(1) : undefined;
  if (!behind) return undefined;
  const client = words[at - 1] ?? 'client';
  if (/smithery/.test(client)) return smithery(behind);
  const draft = readAddCommand(behind);
  return draft && { drafts: [draft], rank: 'config', format: `${programOf(client).replace(/@.*$/, '') || 'client'} mcp add` };
}

/** `… mcp add-json NAME '{…}'`. */
function readAddJson(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.indexOf('add-json');
  if (at < 1 || words[at - 1] !== 'mcp') return undefined;
  const behind = words.slice(at + 1);
  const json = behind.findIndex((word) => /^\s*\{/.test(word));
  const name = behind.find((word, index) => index !== json && !word.startsWith('-') && !/^(?:user|project|local)$/.test(word));
  const drafts = fromJson(behind[json] ?? '', name ?? null, budget);
  return { drafts, rank: 'config', format: `${words[at - 2] ?? 'client'} mcp add-json` };
}

/** `code --add-mcp '{…}'` and its forks. */
function readAddMcpFlag(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.indexOf('--add-mcp');
  if (at < 1 || at > 3) return undefined;
  return { drafts: fromJson(words[at + 1] ?? '', null, budget), rank: 'config', format: `${programOf(words[0] ?? 'code')} --add-mcp` };
}

function fromJson(text: string, name: string | null, budget: Budget): readonly Draft[] {
  const value = readLenientJson(text, 0, { budget })?.value;
  if (!isObject(value)) return [];
  const { servers } = findServers(value);
  if (servers.length > 0) return servers.map(({ draft }) => (servers.length === 1 ? { ...draft, name: name ?? draft.name } : draft));
  const reading = readEntry(value, name);
  return reading.kind === 'server' ? [reading.draft] : [];
}

/** Programs that install a server into a client: `npx add-mcp X`, `npx @smithery/cli install X`. */
function readInstaller(words: Words): CommandReading | undefined {
  const at = words.findIndex((word, index) => index > 0 && index < 4 && /^(?:add-mcp|install-mcp|mcp-add|mcp-install|@smithery\/cli|smithery)(?:@[\w.-]+)?$/.test(word));
  const direct = /^(?:smithery|add-mcp|install-mcp)$/.test(words[0] ?? '') ? 0 : -1;
  const program = direct === 0 ? 0 : at > 0 && /^(?:npx|bunx|pnpx|pnpm|yarn|npm)$/.test(programOf(words[0] ?? '')) ? at : -1;
  if (program < 0) return undefined;
  const behind = words.slice(program + 1);
  if (/smithery/.test(words[program] ?? '')) {
    const verb = behind.findIndex((word) => /^(?:install|add|run|connect)$/.test(word));
    return verb < 0 ? undefined : smithery(behind.slice(verb + 1));
  }
  const target = behind.find((word, index) => !word.startsWith('-') && !/^(?:--?[a-z-]+)$/.test(behind[index - 1] ?? ''));
  if (target === undefined) return undefined;
  const draft = /^https?:\/\//i.test(target)
    ? readAddCommand(behind)
    : /\s/.test(target)
      ? readRunCommand(splitWords(target), {})
      : npmDraft(target, behind);
  return draft && { drafts: [draft], rank: 'config', format: 'add-mcp' };
}

function npmDraft(target: string, words: Words): Draft {
  const given = words.find((_, index) => /^(?:--name|-n)$/.test(words[index - 1] ?? ''));
  return { name: given ?? null, transport: 'stdio', command: 'npx', args: ['-y', target], extra: {} };
}

function smithery(words: Words): CommandReading | undefined {
  const id = words.find((word, index) => !word.startsWith('-') && !/^--/.test(words[index - 1] ?? ''));
  if (id === undefined) return undefined;
  if (/^https?:\/\//.test(id)) return { drafts: [{ name: null, transport: transportOfUrl(id), url: id, extra: {} }], rank: 'config', format: 'smithery' };
  return refReading({ kind: 'smithery', id }, 'smithery');
}

function refReading(ref: PastedRef, format: string, name: string | null = ref.id.split('/').at(-1) ?? ref.id): CommandReading {
  return { drafts: [{ name, transport: null, ref, extra: {} }], rank: 'link', format };
}

/** `goose session --with-extension "K=V command args"`, and `/extension command args`. */
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
      drafts.push({ name: null, transport: word.includes('sse') ? 'sse' : transportOfUrl(url), url, extra: {} });
    }
  });
  return drafts.length > 0 ? { drafts, rank: 'config', format: 'goose command' } : undefined;
}

/** A command line with variables before it. */
export function lineDraft(words: Words): Draft | undefined {
  const { env, rest } = leadingVariables(words);
  const [command, ...args] = rest;
  if (command === undefined || command === '') return undefined;
  return { name: null, transport: 'stdio', command, args, ...(Object.keys(env).length > 0 ? { env } : {}), extra: {} };
}

/** `A=1 B=2 command` and `env A=1 command`. */
export function leadingVariables(words: Words): { readonly env: Record<string, string>; readonly rest: Words } {
  const pairs: [string, string][] = [];
  let at = /^(?:env|cross-env|sudo)$/.test(words[0] ?? '') ? 1 : 0;
  for (; at < words.length; at += 1) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(words[at] ?? '');
    if (!match) break;
    pairs.push([match[1] ?? '', match[2] ?? '']);
  }
  return { env: Object.fromEntries(pairs), rest: words.slice(at) };
}

/** `docker mcp server enable NAME` names an entry of Docker's catalog. */
function readCatalog(words: Words): CommandReading | undefined {
  if (words[0] !== 'docker' || words[1] !== 'mcp') return undefined;
  const at = words.findIndex((word) => word === 'enable' || word === 'add');
  const names = at < 0 || words[2] !== 'server' ? [] : words.slice(at + 1).filter((word) => !word.startsWith('-'));
  if (names.length === 0) return undefined;
  const drafts = names.map((id): Draft => ({ name: id, transport: null, ref: { kind: 'docker-catalog', id }, extra: {} }));
  return { drafts, rank: 'link', format: 'docker mcp' };
}

/** `git clone URL` and `gemini extensions install URL` name a repository. */
function readRepository(words: Words): CommandReading | undefined {
  const clones = words[0] === 'git' && words[1] === 'clone';
  const installs = words.includes('extensions') && words.includes('install');
  if (!clones && !installs) return undefined;
  const id = words.map((word) => /^(?:git\+)?(?:https?:\/\/github\.com\/|git@github\.com:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(word)?.[1]).find((found) => found !== undefined);
  return id === undefined ? undefined : refReading({ kind: 'github', id }, clones ? 'git clone' : 'an extension link');
}

/** The command that an inspector would start; an empty list when it starts none. */
function inspected(words: Words): Words | undefined {
  const at = words.findIndex((word) => /^@modelcontextprotocol\/inspector(?:@[\w.-]+)?$/.test(word));
  if (at < 0 || at > 3) return undefined;
  const behind = words.slice(at + 1).filter((word, index, all) => !/^(?:--cli|--)$/.test(word) && !/^--config|^--server/.test(all[index - 1] ?? ''));
  const first = behind.findIndex((word, index) => isRunner(word, behind.slice(index + 1)));
  return first < 0 ? [] : behind.slice(first);
}
