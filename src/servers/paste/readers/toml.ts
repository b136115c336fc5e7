import { parse } from 'smol-toml';
import { limits } from '../../../base/limits.ts';
import { messageOf } from '../../../base/errors.ts';
import { findServers } from '../containers.ts';
import { dialectOf } from '../dialects.ts';
import type { PasteChange, PasteProblem } from '../paste.ts';
import { NOTHING, type Found, type Range, type Reader, type Reading, type View } from '../view.ts';
import { rejected } from './json.ts';

export const tomlReader: Reader = { name: 'toml', read: readToml };

function readToml(view: View): Reading {
  if (view.text.length > limits.pasteForeignCharsMax || !/^[ \t]*\[/m.test(view.text)) return NOTHING;
  const found: Found[] = [];
  const claims: Range[] = [];
  const problems: PasteProblem[] = [];
  const changes: PasteChange[] = [];
  const corrected: string[] = [];
  let format: string | undefined;
  for (const island of islands(view)) {
    view.budget.step();
    const text = view.text.slice(island.from, island.to);
    const parsed = parseTolerant(text);
    const line = view.lines.at(island.from);
    if (parsed.error !== undefined && /mcp|command\s*=/i.test(text)) {
      problems.push({
        message: `This TOML cannot be read: ${parsed.error}.`,
        severity: 'error',
        owner: 'you',
        line,
      });
    }
    const holding = findServers(parsed.value);
    if (holding.servers.length === 0 && holding.rejected.length === 0) continue;
    claims.push(island);
    for (const { draft } of holding.servers) {
      const at = Math.max(0, text.indexOf(draft.name ?? '['));
      found.push({ draft, at: island.from + at, rank: 'config', document: island.from });
    }
    problems.push(...holding.rejected.map((name) => rejected(name, line)));
    format ??= dialectOf(holding.container, parsed.value, 'toml');
    if (parsed.changes.length === 0) continue;
    changes.push(...parsed.changes.map(({ line: inner, what }) => ({ line: line + inner - 1, what })));
    corrected.push(parsed.text);
  }
  return { found, claims, problems, changes, corrected, ...(format === undefined ? {} : { format }) };
}

const HEADER = /^[ \t]*\[{1,2}[ \t]*["'\w][\w."' /@:-]*\]{1,2}[ \t]*(?:#.*)?$/;
const MEMBER = /^[ \t]*(?:["'][^"'\n]+["']|[\w.-]+)[ \t]*=/;

function islands(view: View): readonly Range[] {
  const found: Range[] = [];
  let open: { from: number; depth: number; to: number } | undefined;
  let at = 0;
  for (const line of view.text.split('\n')) {
    const end = at + line.length;
    const inner = open !== undefined && open.depth > 0;
    const fits = HEADER.test(line) || MEMBER.test(line) || /^\s*(#.*)?$/.test(line);
    if (open && !fits && !inner) {
      found.push({ from: open.from, to: open.to });
      open = undefined;
    }
    if (!open && (HEADER.test(line) || DOTTED.test(line))) open = { from: at, depth: 0, to: end };
    if (open) {
      open.depth = Math.max(0, open.depth + depthOf(line, HEADER.test(line)));
      if (line.trim() !== '') open.to = end;
    }
    at = end + 1;
  }
  if (open) found.push({ from: open.from, to: open.to });
  return found;
}

/** `mcp_servers.x.command = "npx"` needs no header. */
const DOTTED = /^[ \t]*mcp_servers\.[\w."'-]+\s*=/;

function depthOf(line: string, header: boolean): number {
  if (header) return 0;
  const plain = line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, '');
  return plain.replaceAll(/[^[{]/g, '').length - plain.replaceAll(/[^\]}]/g, '').length;
}

interface Parsed {
  readonly value: unknown;
  readonly text: string;
  readonly changes: readonly PasteChange[];
  readonly error?: string;
}

/** Tried only when the text can't be parsed without it. */
const REPAIRS: readonly { readonly what: string; readonly pattern: RegExp; readonly by: string }[] = [
  { what: 'curly quotes were replaced by straight ones', pattern: /[“”„]/g, by: '"' },
  {
    what: 'the backslashes of a path were doubled',
    pattern: /(?<!\\)\\(?![\\"nrtbfu])|(?<=[A-Za-z]:)\\(?!\\)/g,
    by: '\\\\',
  },
  { what: 'a comment mark // was replaced by #', pattern: /(?<=^|\s)\/\/(?=\s)/gm, by: '#' },
  { what: 'a comma at the end of the line was one too many', pattern: /(?<=["'\]}\w]),[ \t]*$/gm, by: '' },
];

function parseTolerant(text: string): Parsed {
  if (tooDeep(text)) return { value: undefined, text, changes: [], error: 'it is nested too deeply' };
  const first = attempt(text);
  if (first.error === undefined) return { ...first, text, changes: [] };
  let repaired = text;
  const changes: PasteChange[] = [];
  for (const { what, pattern, by } of REPAIRS) {
    const at = repaired.search(pattern);
    if (at < 0) continue;
    repaired = repaired.replaceAll(pattern, () => by);
    changes.push({ line: repaired.slice(0, at).split('\n').length, what });
    const again = attempt(repaired);
    if (again.error === undefined) return { ...again, text: repaired, changes };
  }
  return byTables(text, first.error);
}

/** One bad table must not hide the others. */
function byTables(text: string, error: string): Parsed {
  const tables = text.split(/^(?=[ \t]*\[)/m).slice(0, 200);
  const good = tables.filter((table) => attempt(table).error === undefined).join('');
  const parsed = attempt(good);
  return { value: parsed.value, text: good, changes: [], error };
}

function attempt(text: string): { readonly value: unknown; readonly error?: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    return {
      value: undefined,
      error:
        messageOf(error)
          .split('\n')[0]
          ?.replace(/^Invalid TOML document: /, '') ?? 'unknown',
    };
  }
}

function tooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    if (depth > limits.pasteDepthMax) return true;
  }
  return false;
}
