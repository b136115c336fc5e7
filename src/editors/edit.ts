import { parse, stringify } from 'smol-toml';
import { PlugError } from '../base/errors.ts';
import { type JsonObject, canonicalJson, isObject } from '../base/json.ts';
import { type Document, type KeyPath, type Syntax, valueAt } from '../servers/clients/documents/document.ts';
import { parseText } from '../servers/clients/documents/parse.ts';
import { type TomlTable, samePath, tomlTables } from '../servers/clients/documents/toml.ts';
import { editElisp } from './edit-elisp.ts';
import { editJson } from './edit-json.ts';
import { editYaml } from './edit-yaml.ts';
import { applyChanges, type EntryEdit, eolOf, type TextChange } from './layout.ts';

/** Changes one entry and nothing else. Throws when the text is malformed or the entry's form can't be changed. */
export function editText(file: string, syntax: Syntax, text: string, edit: EntryEdit): string {
  const before = read(file, syntax, text);
  const current = entryIn(before, edit);
  if (current !== undefined) edit.check?.(current);
  if (same(current ?? null, edit.entry)) return text;
  const container = before.value(edit.container) ?? undefined;
  if (container !== undefined && !(edit.list ? Array.isArray(container) : isObject(container))) {
    const wanted = edit.list ? 'list' : 'map';
    throw refused(file, `“${edit.container.join('.')}” is not a ${wanted} of servers there`);
  }
  const edited = attempt(syntax, text, edit);
  if (edited !== undefined && isFaithful(syntax, before, edited, edit)) return edited;
  const why = `“${edit.key}” stands there in a form that cannot be changed without touching the rest`;
  throw refused(file, why);
}

function entryIn(document: Document, { container, list, key }: EntryEdit): unknown {
  if (!list) return document.value([...container, key]);
  const items = document.value(container);
  return Array.isArray(items)
    ? items.find((item: unknown) => isObject(item) && item['name'] === key)
    : undefined;
}

/** The parsers' own editors throw on shapes that they cannot follow: that is a refusal like others. */
function attempt(syntax: Syntax, text: string, edit: EntryEdit): string | undefined {
  try {
    return EDITORS[syntax](text, edit);
  } catch {
    return undefined;
  }
}

const EDITORS: Readonly<Record<Syntax, (text: string, edit: EntryEdit) => string | undefined>> = {
  json: editJson,
  yaml: editYaml,
  toml: editToml,
  elisp: editElisp,
};

function read(file: string, syntax: Syntax, text: string): Document {
  const parsed = parseText(syntax, text);
  if (parsed.kind === 'ok') return parsed.document;
  const { line, column, reason } = parsed;
  const why = `it is broken in line ${line}, column ${column}: ${reason}`;
  throw new PlugError('bad_config', `${file} was not changed, because ${why}.`, {
    owner: 'you',
    remedy: `Correct line ${line} of ${file} and try again.`,
    details: { file, line, column },
  });
}

/** Invariant: what is written reads as before in all but our entry. Otherwise nothing is written. */
function isFaithful(syntax: Syntax, before: Document, edited: string, edit: EntryEdit): boolean {
  const parsed = parseText(syntax, edited);
  if (parsed.kind === 'malformed') return false;
  const after = parsed.document;
  if (!same(entryIn(after, edit) ?? null, edit.entry)) return false;
  return same(without(before.value([]), edit), without(after.value([]), edit));
}

/** The whole file without our entry; a container that holds nothing counts as none. */
function without(root: unknown, { container, list, key }: EntryEdit): unknown {
  const strip = (value: unknown, path: KeyPath): unknown => {
    const [step, ...rest] = path;
    if (step === undefined) {
      if (Array.isArray(value))
        return value.filter((item: unknown) => !isObject(item) || item['name'] !== key);
      return isObject(value) && !list
        ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
        : value;
    }
    if (!isObject(value)) return value;
    const inner = strip(value[step], rest);
    const others = Object.entries(value).filter(([name]) => name !== step);
    return Object.fromEntries(isEmpty(inner) ? others : [...others, [step, inner]]);
  };
  const left = strip(root ?? {}, container);
  return isEmpty(left) ? {} : left;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function refused(file: string, why: string): PlugError {
  return new PlugError('bad_config', `${file} was not changed: ${why}.`, {
    owner: 'you',
    remedy: `Edit ${file} by hand.`,
    details: { file },
  });
}

/** Tables of their own, at the end of the file. Undefined when the entry has another form. */
function editToml(text: string, { container, key, entry }: EntryEdit): string | undefined {
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
