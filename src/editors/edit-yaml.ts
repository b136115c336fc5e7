import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Node,
} from 'yaml';
import type { JsonObject } from '../base/json.ts';
import { parseYamlNodes } from '../servers/clients/documents/yaml.ts';
import {
  applyChanges,
  type EntryEdit,
  eolOf,
  indentAt,
  indented,
  lineStart,
  type TextChange,
} from './layout.ts';

/** Changes the lines of one entry. Flow style is rewritten by the parser: comments and order stay, spacing may not. */
export function editYaml(text: string, edit: EntryEdit): string | undefined {
  const parsed = parseYamlNodes(text);
  if (parsed.kind === 'malformed') return undefined;
  const container: unknown = parsed.nodes.getIn(edit.container, true);
  if (isBlock(container)) return editBlock(text, container, edit);
  if (edit.entry === null) return rewrite(text, edit);
  if (container === undefined)
    return text.trim() === '' || edit.container.length === 1 ? append(text, edit) : rewrite(text, edit);
  return fillEmpty(text, container, edit) ?? rewrite(text, edit);
}

type Block = { readonly items: readonly unknown[] } & Node;

function isBlock(node: unknown): node is Block {
  return isCollection(node) && node.flow !== true && node.items.length > 0;
}

interface Lines extends Omit<TextChange, 'text'> {
  readonly name: unknown;
}

function editBlock(text: string, container: Block, edit: EntryEdit): string | undefined {
  const lines = container.items.map((item) => linesOf(text, item));
  if (lines.some((item) => item === undefined)) return rewrite(text, edit);
  const known = lines.filter((item) => item !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return undefined;
  const indent = indentAt(text, first.start);
  const found = known.find(({ name }) => name === edit.key);
  if (edit.entry !== null) {
    const block = render(text, edit, indent, edit.entry);
    if (found) return applyChanges(text, [{ ...found, text: block }]);
    const ended = text[last.end - 1] === '\n';
    // A file without a last line end stays one.
    const added = ended ? block : eolOf(text) + block.replace(/\r?\n$/, '');
    return applyChanges(text, [{ start: last.end, end: last.end, text: added }]);
  }
  if (!found) return undefined;
  if (known.length === 1) return emptied(text, found, edit);
  const unfinished = found === last && text[found.end - 1] !== '\n';
  const start = unfinished
    ? found.start - (/\r?\n$/.exec(text.slice(0, found.start))?.[0].length ?? 0)
    : found.start;
  return applyChanges(text, [{ start, end: found.end, text: '' }]);
}

/** The whole lines of an item; undefined when it shares them. */
function linesOf(text: string, item: unknown): Lines | undefined {
  const key: unknown = isPair(item) ? item.key : item;
  const value: unknown = isPair(item) ? (item.value ?? item.key) : item;
  if (!isNode(key) || !isNode(value) || !key.range || !value.range) return undefined;
  const start = lineStart(text, key.range[0]);
  const end = value.range[2];
  const lead = text.slice(start, key.range[0]);
  if (!/^[ \t]*(- *)?$/.test(lead)) return undefined;
  const listed = isMap(item) ? item.get('name') : undefined;
  return { start, end, name: isPair(item) && isScalar(key) ? key.value : listed };
}

/** The last entry leaves `{}` or `[]` behind its container's name. */
function emptied(text: string, { start, end }: Lines, edit: EntryEdit): string {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith(':')) return rewrite(text, edit);
  const rest = text.slice(end);
  const eol = text[end - 1] === '\n' ? eolOf(text) : '';
  return `${before} ${edit.list ? '[]' : '{}'}${eol}${rest}`;
}

/** `name:`, `name: {}` or `name: []`. */
function fillEmpty(text: string, container: unknown, edit: EntryEdit): string | undefined {
  const empty = isCollection(container)
    ? container.items.length === 0
    : isScalar(container) && container.value === null;
  if (!empty || !isNode(container) || !container.range || edit.entry === null) return undefined;
  const [start, end] = container.range;
  const head = text.slice(0, start).trimEnd();
  const tail = text.slice(end);
  if (!head.endsWith(':') || !/^[ \t]*(\r?\n|$)/.test(tail)) return undefined;
  const outer = indentAt(text, head.length);
  const block = render(text, edit, `${outer}  `, edit.entry);
  const rest = tail.replace(/^[ \t]*(\r?\n|$)/, '');
  return `${head}${eolOf(text)}${tail === '' ? block.replace(/\r?\n$/, '') : block}${rest}`;
}

function append(text: string, edit: EntryEdit): string | undefined {
  if (edit.entry === null) return undefined;
  const eol = eolOf(text);
  const names = edit.container.map(
    (name, depth) => `${'  '.repeat(depth)}${stringify(name).trimEnd()}:${eol}`,
  );
  const block = names.join('') + render(text, edit, '  '.repeat(edit.container.length), edit.entry);
  return text === '' || text.endsWith('\n') ? text + block : `${text}${eol}${block}`;
}

function render(text: string, { key, list }: EntryEdit, indent: string, entry: JsonObject): string {
  const step = Math.max(2, /^ +(?=[^ \n])/m.exec(text)?.[0].length ?? 2);
  const shown = stringify(list ? [entry] : { [key]: entry }, { lineWidth: 0, indent: step }).trimEnd();
  return indent + indented(shown, indent, eolOf(text)) + eolOf(text);
}

function rewrite(text: string, { container, list, key, entry }: EntryEdit): string {
  const document = parseDocument(text, { merge: true, logLevel: 'silent' });
  if (list) {
    const items: unknown = document.getIn(container, true);
    const index = isSeq(items)
      ? items.items.findIndex((item) => isMap(item) && item.get('name') === key)
      : -1;
    if (index >= 0) document.deleteIn([...container, index]);
    if (entry !== null) document.addIn(container, document.createNode(entry));
  } else if (entry === null) document.deleteIn([...container, key]);
  else document.setIn([...container, key], document.createNode(entry));
  return document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, eolOf(text));
}
