import { defined } from '../../../base/defined.ts';
import { readKnownCommand, leadingVariables } from '../commands/known-commands.ts';
import { packageOf } from '../commands/run-command.ts';
import type { PasteChange } from '../paste.ts';
import { readCommand, type Word } from '../words.ts';
import type { Finding, Range, Reader, Reading, View } from '../view.ts';

export const shellReader: Reader = { name: 'shell', read: readShell };

const HEADS = String.raw`npx|bunx|pnpx|uvx|dnx|pnpm|yarn|bun|npm|uv|pipx|docker|podman|node|tsx|deno|python3?|py|java|dotnet|go|wsl(?:\.exe)?|cmd(?:\.exe)?|git|goose|smithery|add-mcp|install-mcp|thv|gemini|\/extension|\/add-mcp|\/mcp`;
const ADDS = String.raw`(?:[\w@./-]+[ \t]+){1,3}(?:mcp[ \t]+(?:add|set|install)(?:-json)?|--add-mcp)(?![\w-])`;
const PREFIX = String.raw`(?:(?:sudo|env|cross-env)[ \t]+)?(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+)[ \t]+)*`;
/** `A=1 \\` above the command that it is for. */
const SETTINGS_ABOVE = new RegExp(`^[ \\t]*(?:[$%❯➜>][ \\t]+)?(${PREFIX})(?:\\\\|\x60|\\^)[ \\t]*$`);
/** A prompt, a list mark or a label. */
const PROMPT = String.raw`^[ \t]*(?:(?:[$%❯➜]|PS[^>\n]{0,80}>|[A-Za-z]:\\[^>\n]{0,80}>|>|[-*+•]|\d+[.)])[ \t]+)*`;
const LINE = new RegExp(
  `${PROMPT}(${PREFIX}(?:[\\w~./\\\\:-]*[/\\\\])?(?:${HEADS})(?:[ \\t]|$)|${PREFIX}${ADDS})`,
);
const INSIDE = new RegExp(`^(?:${PREFIX}(?:${HEADS})[ \\t]|${ADDS})`);
const ADDS_ONLY = new RegExp(`^${ADDS}`);
const ANYWHERE = new RegExp(`(?<![\\w@./-])${ADDS}`);

function readShell(view: View): Reading {
  const found: Finding[] = [];
  const claims: Range[] = [];
  const changes: PasteChange[] = [];
  const exported: Record<string, string> = {};
  let format: string | undefined;
  let named: string | undefined;
  for (const candidate of candidates(view, exported)) {
    if (view.budget.isOver) break;
    const at = candidate.from;
    const line = readCommand(view.text, at, candidate.to);
    view.budget.step(2 * (line.end - at) + 1_000);
    const { env, rest } = leadingVariables(withoutRedirections(line.words));
    const reading = readKnownCommand(rest, { ...(candidate.inline ? {} : exported), ...env }, view.budget);
    if (!reading) continue;
    const { rank } = reading;
    claims.push({ from: at, to: line.end });
    format ??= reading.format;
    named ??= reading.name;
    if (line.unclosed)
      changes.push({ line: view.lineAt(at), what: 'a quote in this command is never closed' });
    for (const draft of reading.drafts) {
      const name = draft.name ?? (rank === 'command' ? candidate.name : undefined) ?? null;
      found.push({ draft: { ...draft, name }, at, rank, document: at });
    }
  }
  return { found: withoutTwins(found), claims, changes, ...defined({ format, name: named }) };
}

/** `2>/dev/null`, `> log.txt` and `&` are for the shell. */
function withoutRedirections(words: readonly Word[]): readonly string[] {
  const isSign = ({ text, quoted }: Word): boolean => !quoted && /^(?:\d|&)?>{1,2}(?:&\d)?$|^<$/.test(text);
  const isWhole = ({ text, quoted }: Word): boolean => !quoted && /^(?:\d|&)?>{1,2}[^>=\s]|^&$/.test(text);
  return words
    .filter((word, index) => {
      const before = words[index - 1];
      const isTarget = before !== undefined && isSign(before) && !before.text.includes('&');
      return !isSign(word) && !isWhole(word) && !isTarget;
    })
    .map(({ text }) => text);
}

interface Candidate extends Range {
  /** From the table cell or link beside the command. */
  readonly name?: string;
  readonly inline: boolean;
}

/** `echo '{…}' |` and `cat file |`; not the row of a table. */
const FEEDS = new RegExp(`${PROMPT}\\(?(?:echo|printf|cat|yes|jq|head|tail|curl|sleep|\\()[ \\t(][^\\n]*\\|`);
const AFTER_PIPE = new RegExp(`^(?:${PREFIX}(?:[\\w~./\\\\:-]*[/\\\\])?(?:${HEADS})[ \\t]|${ADDS})`);

/** Where commands start that read what another one writes. */
function behindPipes(text: string, from: number, end: number): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < end;) {
    const sign = readCommand(text, at, end).end;
    if (sign >= end) break;
    at = sign + 1;
    if (text[sign] !== '|' || text[at] === '|') continue;
    at += /^[ \t]*/.exec(text.slice(at, end))?.[0].length ?? 0;
    if (AFTER_PIPE.test(text.slice(at, end))) found.push(at);
  }
  return found;
}

/** Collects what `export` sets on the way. */
function* candidates(view: View, exported: Record<string, string>): Generator<Candidate> {
  const { text } = view;
  let resume = 0;
  let above: number | undefined;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + 4_000));
    collectSetting(line, exported);
    const settings = at >= resume ? SETTINGS_ABOVE.exec(line) : null;
    if (settings?.[1]) {
      above ??= at + line.indexOf(settings[1]);
      at = end + 1;
      view.budget.step();
      continue;
    }
    const start = at >= resume ? LINE.exec(line) : null;
    if (start) {
      const from = above ?? at + start[0].length - (start[1]?.length ?? 0);
      yield { from, to: text.length, inline: false };
      resume = Math.max(resume, readCommand(text, from, text.length).end);
    } else if (at >= resume && FEEDS.test(line)) {
      for (const from of behindPipes(text, at, end)) yield { from, to: end, inline: false };
    } else if (at >= resume) yield* inline(line, at);
    above = undefined;
    const chained = nextInChain(text, Math.max(at, resume), end);
    at = chained ?? end + 1;
    if (chained === undefined) view.budget.step();
  }
}

/** `export A=b`, `set A=b` and `$env:A = "b"`. */
function collectSetting(line: string, exported: Record<string, string>): void {
  const [, name, given = ''] = SETTING.exec(line) ?? [];
  // The output of another program is unknown.
  if (name === undefined || /\$\(|`/.test(given)) return;
  const value = given.replaceAll(/^["']|["']$/g, '');
  Object.defineProperty(exported, name, { value, enumerable: true, configurable: true, writable: true });
}

const SETTING =
  /^[ \t]*(?:\$ )?(?:(?:export|set)[ \t]+|\$env:)([A-Za-z_]\w*)[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*'|<[^<>\n]*>|[^\s;&]*)/;

/** After `&&` or `;` the next command starts. */
function nextInChain(text: string, from: number, end: number): number | undefined {
  const rest = text.slice(from, Math.min(end, from + 2_000));
  if (!CHAIN.test(rest)) return undefined;
  const sign = /&&|;/.exec(rest);
  return sign ? from + sign.index + sign[0].length : undefined;
}

const CHAIN = /^[ \t]*(?:\$ )?(?:&&|;|(?:cd|export|set|mkdir|git|npm|pip3?|uv|source|\.)[ \t]|\$env:)/;

/** In code spans or quotes; `… mcp add` anywhere in a sentence. */
function* inline(line: string, offset: number): Generator<Candidate> {
  let spans = 0;
  const name = nameBeside(line);
  for (const { 1: span, 2: quoted = '', index } of line.matchAll(/`([^`\n]+)`|"([^"\n]{8,})"/g)) {
    const inner = span ?? quoted;
    // In double quotes a command may be a config value, unless it adds a server.
    if (!(span === undefined ? ADDS_ONLY : INSIDE).test(inner)) continue;
    spans += 1;
    const from = offset + index + 1;
    yield { from, to: from + inner.length, inline: true, ...defined({ name }) };
  }
  const free = spans === 0 && line.includes('mcp') ? ANYWHERE.exec(line) : null;
  if (free) yield { from: offset + free.index, to: offset + line.length, inline: true };
}

/** The first cell of a table row, or the text of a link. */
function nameBeside(line: string): string | undefined {
  const cell = /^\s*\|\s*[`*]*([\w .-]{1,60}?)[`*]*\s*\|/.exec(line)?.[1];
  return cell ?? /^[\s>|*_#\d.)+-]*\[([\w .-]{1,40})\]\(/.exec(line)?.[1];
}

/** `uvx x` and `python -m x` are one server: the first counts. */
function withoutTwins(found: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return found.filter(({ draft, rank }) => {
    const id = rank === 'command' ? packageOf(draft) : undefined;
    if (id === undefined) return true;
    if (seen.has(id) && draft.command?.startsWith('py')) return false;
    seen.add(id);
    return true;
  });
}
