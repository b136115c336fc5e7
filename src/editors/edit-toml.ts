import { parse, stringify } from 'smol-toml';
import type { KeyPath } from '../servers/clients/documents/document.ts';
import { samePath, tomlTables, type TomlTable } from '../servers/clients/documents/toml.ts';
import { valueAt } from '../servers/clients/documents/document.ts';
import type { JsonObject } from '../base/json.ts';
import type { EntryEdit } from './entry-edit.ts';
import { applyChanges, eolOf, type TextChange } from './layout.ts';

/** Tables of their own, at the end of the file. Undefined when the entry has another form. */
export function editToml(text: string, { container, key, entry }: EntryEdit): string | undefined {
  const path = [...container, key];
  const tables = tomlTables(text).filter((table) => samePath(table.path.slice(0, path.length), path));
  if (tables.length === 0) {
    const inline = valueAt(parse(text), path) !== undefined;
    return inline || entry === null ? undefined : append(text, path, entry);
  }
  const [first, ...others] = tables;
  const removed = others.map(({ start, end }): TextChange => ({ start, end, text: '' }));
  if (first && entry !== null) {
    const block = render(text, path, entry);
    const replaced = { start: first.start, end: first.end, text: block + eolOf(text) };
    return applyChanges(text, [replaced, ...removed]);
  }
  return applyChanges(
    text,
    tables.map((table) => withBlankLine(text, table)),
  );
}

/** One empty line goes in front, and goes again when the entry does. */
function append(text: string, path: KeyPath, entry: JsonObject): string {
  const eol = eolOf(text);
  const block = render(text, path, entry);
  if (text === '') return block + eol;
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

function withBlankLine(text: string, { start, end }: TomlTable): TextChange {
  const before = text.slice(0, start);
  // A file that did not end with a line end gets that state back.
  const unfinished = end === text.length && !text.endsWith('\n');
  const blank = (unfinished ? /(\r?\n){1,2}$/ : /(?<=\n)\r?\n$/).exec(before)?.[0] ?? '';
  return { start: start - blank.length, end, text: '' };
}

function render(text: string, path: KeyPath, entry: JsonObject): string {
  const nested = path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), entry);
  return stringify(nested).trimEnd().replaceAll('\n', eolOf(text));
}
