import { parse, TomlError } from 'smol-toml';
import { isObject } from '../../../base/json.ts';
import { messageOf } from '../../../base/errors.ts';
import { plain, positionsIn, valueAt, type KeyPath, type ParsedDocument } from './document.ts';

export function parseToml(text: string): ParsedDocument {
  try {
    const root = plain(parse(text));
    const tables = tomlTables(text);
    const positionOf = positionsIn(text);
    return {
      kind: 'ok',
      document: {
        value: (path) => valueAt(root, path),
        position: (path) => {
          const table = tables.find((table) => samePath(table.path, path));
          return table && positionOf(table.start);
        },
      },
    };
  } catch (error) {
    const { line, column } = error instanceof TomlError ? error : { line: 1, column: 1 };
    const reason = error instanceof RangeError ? 'it is nested too deeply' : firstLine(messageOf(error));
    return { kind: 'malformed', line, column, reason };
  }
}

export interface TomlTable {
  readonly path: KeyPath;
  /** To the end of the last setting: comments after it stay. */
  readonly start: number;
  readonly end: number;
}

export function tomlTables(text: string): readonly TomlTable[] {
  const tables: { path: KeyPath; start: number; end: number }[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfStatement(text, at);
    const statement = text.slice(at, end);
    const last = tables.at(-1);
    if (/^[ \t]*\[/.test(statement)) tables.push({ path: pathOfHeader(statement), start: at, end });
    else if (last && !/^\s*(#|$)/.test(statement)) last.end = end;
    at = end;
  }
  return tables;
}

export function samePath(a: KeyPath, b: KeyPath): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

/** The start of the next statement: line ends inside brackets or long strings don't count. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [found] = token;
    if (found === '[' || found === '{') depth += 1;
    else if (found === ']' || found === '}') depth -= 1;
    else if (found === '\n' && depth <= 0) return TOKEN.lastIndex;
  }
  return text.length;
}

const TOKEN =
  /#[^\n]*|"""(?:[^\\"]|\\[^]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}\n]/g;

/** Parsed with the library, which knows dots and quotes. */
function pathOfHeader(statement: string): KeyPath {
  const path: string[] = [];
  let value: unknown = parse(statement);
  for (;;) {
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    const [key] = isObject(inner) ? Object.keys(inner) : [];
    if (key === undefined || !isObject(inner)) return path;
    path.push(key);
    value = inner[key];
  }
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? text).replace(/^Invalid TOML document: /, '');
}
