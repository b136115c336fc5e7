import type { Node } from 'jsonc-parser';
import type { Json, JsonObject } from '../base/json.ts';
import { findNode, parseJsonTree } from '../servers/clients/documents/json.ts';
import {
  type EntryEdit,
  type TextChange,
  applyChanges,
  eolOf,
  indentAt,
  indentUnitOf,
  indented,
  lineStart,
  withoutComments,
} from './layout.ts';

/** JSON with comments. Undefined when the entry cannot be reached. */
export function editJson(text: string, { container, key, entry }: EntryEdit): string | undefined {
  const tree = parseJsonTree(text);
  if (tree.kind === 'malformed') return undefined;
  const path = [...container, key];
  if (entry === null) return removeProperty(text, findNode(tree.root, container), key);
  if (!tree.root) return `${JSON.stringify(nest(path, entry), undefined, 2)}\n`;
  const found = findNode(tree.root, path);
  if (found) return replaceValue(text, found, entry);
  // `"mcpServers": null` says the same as nothing: it is filled rather than doubled.
  const empty = path.findIndex((_, index) => findNode(tree.root, path.slice(0, index + 1))?.type === 'null');
  const hole = empty < 0 ? undefined : findNode(tree.root, path.slice(0, empty + 1));
  if (hole) return replaceValue(text, hole, nest(path.slice(empty + 1), entry));
  // The deepest object that is there takes the rest of the path as one new property.
  const depth = path.findLastIndex(
    (_, index) => findNode(tree.root, path.slice(0, index))?.type === 'object',
  );
  const object = findNode(tree.root, path.slice(0, depth));
  const [name, ...rest] = path.slice(depth);
  if (!object || name === undefined) return undefined;
  return addProperty(text, object, name, nest(rest, entry));
}

function nest(path: readonly string[], entry: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), entry);
}

function replaceValue(text: string, node: Node, value: Json): string {
  const shown = render(value, text, indentAt(text, node.offset));
  return applyChanges(text, [{ start: node.offset, end: node.offset + node.length, text: shown }]);
}

function addProperty(text: string, object: Node, name: string, value: Json): string {
  const close = object.offset + object.length - 1;
  const [first, last] = [object.children?.[0], object.children?.at(-1)];
  const start = last ? last.offset + last.length : object.offset + 1;
  const inOneLine = !(last ? text.slice(object.offset, close) : text.trim()).includes('\n');
  const inside = text.slice(start, close).trimEnd();
  if (inOneLine && (last === undefined || inside === '')) {
    const lead = last ? ', ' : inside === '' ? '' : ' ';
    const inline = `${lead}${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return applyChanges(text, [{ start: start + inside.length, end: start + inside.length, text: inline }]);
  }
  const eol = eolOf(text);
  const outer = indentAt(text, object.offset);
  const indent = first ? indentAt(text, first.offset) : outer + indentUnitOf(text);
  // Comments behind the last property stay with it: the new one goes after them.
  const gap = text.slice(start, close);
  const kept = gap.trimEnd();
  const trailing = last !== undefined && withoutComments(gap).includes(',');
  const before = last && !trailing ? ',' : '';
  const property = `${JSON.stringify(name)}: ${render(value, text, indent)}${trailing ? ',' : ''}`;
  const space = gap.slice(kept.length);
  const after = last || space.includes('\n') ? space : eol + outer;
  const changed = `${before}${kept}${eol}${indent}${property}${after}`;
  return applyChanges(text, [{ start, end: close, text: changed }]);
}

function render(value: Json, text: string, indent: string): string {
  return indented(JSON.stringify(value, undefined, indentUnitOf(text)), indent, eolOf(text));
}

/** Takes a property out of an object, with its comma and its lines, and no comment of others. */
function removeProperty(text: string, object: Node | undefined, key: string): string | undefined {
  const properties = object?.type === 'object' ? (object.children ?? []) : [];
  const index = properties.findLastIndex((property) => property.children?.[0]?.value === key);
  const property = properties[index];
  if (!object || !property) return undefined;
  const around = {
    property: span(property),
    previous: properties[index - 1] && span(properties[index - 1]),
    next: properties[index + 1] && span(properties[index + 1]),
    close: object.offset + object.length - 1,
  };
  const edited = applyChanges(text, around.next ? fromMiddle(text, around) : fromEnd(text, around));
  if (properties.length > 1) return edited;
  // What is left between the braces is shown as empty when it holds no comment.
  const close = around.close - (text.length - edited.length);
  const inside = edited.slice(object.offset + 1, close);
  if (inside.trim() !== '') return edited;
  return applyChanges(edited, [{ start: object.offset + 1, end: close, text: '' }]);
}

type Span = Omit<TextChange, 'text'>;

interface Around {
  readonly property: Span;
  readonly previous: Span | undefined;
  readonly next: Span | undefined;
  readonly close: number;
}

function span(node: Node | undefined): Span {
  return { start: node?.offset ?? 0, end: (node?.offset ?? 0) + (node?.length ?? 0) };
}

/** Its whole lines when it has them to itself, else itself, its comma and the space after it. */
function fromMiddle(text: string, { property, next, close }: Around): readonly TextChange[] {
  const comma = commaIn(text, property.end, next?.start ?? close) ?? property.end - 1;
  const line = lineStart(text, property.start);
  const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(comma + 1));
  const alone = text.slice(line, property.start).trim() === '' && rest?.[1] !== undefined;
  const start = alone ? line : property.start;
  return [{ start, end: comma + 1 + (rest?.[0].length ?? 0), text: '' }];
}

function fromEnd(text: string, { property, previous, close }: Around): readonly TextChange[] {
  const own = commaIn(text, property.end, close);
  const before = /\r?\n?[ \t]*$/.exec(text.slice(0, property.start))?.[0].length ?? 0;
  const start = property.start - before;
  const end = own === undefined ? property.end : own + 1;
  // A comma that ended the list before us was there before us; else ours made it necessary.
  const comma = previous && own === undefined ? commaIn(text, previous.end, property.start) : undefined;
  if (comma === undefined) return [{ start, end, text: '' }];
  if (comma + 1 >= start) return [{ start: comma, end, text: '' }];
  return [
    { start: comma, end: comma + 1, text: '' },
    { start, end, text: '' },
  ];
}

function commaIn(text: string, start: number, end: number): number | undefined {
  const at = withoutComments(text.slice(start, end)).indexOf(',');
  return at < 0 ? undefined : start + at;
}
