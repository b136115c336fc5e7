import type { Node } from 'jsonc-parser';
import { applyChanges, lineStart, withoutComments, type TextChange } from './layout.ts';

/** Takes a property out of an object, with its comma and its lines, and no comment of others. */
export function removeProperty(text: string, object: Node | undefined, key: string): string | undefined {
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
  return inside.trim() === ''
    ? applyChanges(edited, [{ start: object.offset + 1, end: close, text: '' }])
    : edited;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

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
