import { type Draft, NOTHING, type Range, type Reader, type Reading, type View } from '../view.ts';
import { ConfigReading, isTooDeep } from './config-reading.ts';
import { parse } from 'smol-toml';
import { limits } from '../../../base/limits.ts';
import { messageOf } from '../../../base/errors.ts';
import { findServers } from '../containers.ts';
import type { PasteChange } from '../paste.ts';

export const tomlReader: Reader = { name: 'toml', read: readToml };

function readToml(view: View): Reading {
  if (view.text.length > limits.pasteForeignCharsMax || !/^[ \t]*\[/m.test(view.text)) return NOTHING;
  const reading = new ConfigReading(view, 'toml');
  for (const island of islands(view)) {
    view.budget.step();
    const text = view.text.slice(island.from, island.to);
    const { value, text: corrected, changes, error } = parseTolerant(text);
    const line = view.lineAt(island.from);
    if (error !== undefined && /mcp|command\s*=/i.test(text)) {
      const message = `This TOML cannot be read: ${error}.`;
      reading.problems.push({ message, severity: 'error', owner: 'you', line });
    }
    const offsetOf = ({ draft }: { readonly draft: Draft }): number =>
      island.from + Math.max(0, text.indexOf(draft.name ?? '['));
    if (reading.add(findServers(value), { value, range: island, offsetOf }))
      reading.repaired(
        changes.map((change) => ({ ...change, line: line + change.line - 1 })),
        [{ ...island, by: corrected }],
      );
  }
  return reading;
}

const HEADER = /^[ \t]*\[{1,2}[ \t]*["'\w][\w."' /@:-]*\]{1,2}[ \t]*(?:#.*)?$/;
const MEMBER = /^[ \t]*(?:["'][^"'\n]+["']|[\w.-]+)[ \t]*=/;

/** Runs of lines that start with a table's header and continue like TOML. */
function islands(view: View): readonly Range[] {
  const found: Range[] = [];
  let open: { from: number; depth: number; to: number } | undefined;
  let at = 0;
  for (const line of view.text.split('\n')) {
    const end = at + line.length;
    const isHeader = HEADER.test(line);
    const fits = isHeader || MEMBER.test(line) || /^\s*(#.*)?$/.test(line);
    if (open && !fits && open.depth <= 0) open = undefined;
    if (!open && (isHeader || DOTTED.test(line))) {
      open = { from: at, depth: 0, to: end };
      found.push(open);
    }
    if (open) {
      open.depth = Math.max(0, open.depth + (isHeader ? 0 : depthOf(line)));
      if (line.trim() !== '') open.to = end;
    }
    at = end + 1;
  }
  return found;
}

/** `mcp_servers.x.command = "npx"` needs no header. */
const DOTTED = /^[ \t]*mcp_servers\.[\w."'-]+\s*=/;

function depthOf(line: string): number {
  const plain = line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, '');
  return plain.replaceAll(/[^[{]/g, '').length - plain.replaceAll(/[^\]}]/g, '').length;
}

interface ParsedToml {
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

function parseTolerant(text: string): ParsedToml {
  if (isTooDeep(text)) return { value: undefined, text, changes: [], error: 'it is nested too deeply' };
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
  // One bad table must not hide the others.
  const tables = text.split(/^(?=[ \t]*\[)/m).slice(0, 200);
  const good = tables.filter((table) => attempt(table).error === undefined).join('');
  return { value: attempt(good).value, text: good, changes: [], error: first.error };
}

function attempt(text: string): { readonly value: unknown; readonly error?: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    const [line = 'unknown'] = messageOf(error).split('\n');
    return { value: undefined, error: line.replace(/^Invalid TOML document: /, '') };
  }
}
