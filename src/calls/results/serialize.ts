import { PlugError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { safeBorder } from './cut.ts';
import { roughChars } from './weigh.ts';

/** What is no larger is serialized in one go. */
const STRIDE_CHARS = 64 * 1024;

/**
 * The JSON text of a value in small parts, so that whoever reads them can let others work in
 * between. With `indent`, as a person would like to read it.
 */
export function* jsonParts(value: Json | undefined, indent: number = 0): Generator<string> {
  yield* partsOf(value, { step: ' '.repeat(indent), margin: indent === 0 ? '' : '\n', depth: 0 });
}

interface Layout {
  readonly step: string;
  /** Before each line, or nothing when all stands on one line. */
  readonly margin: string;
  readonly depth: number;
}

function* partsOf(value: Json | undefined, layout: Layout): Generator<string> {
  if (typeof value === 'string' && value.length > STRIDE_CHARS) yield* textParts(value);
  else if (roughChars(value, STRIDE_CHARS) <= STRIDE_CHARS) yield whole(value, layout);
  else if (Array.isArray(value)) yield* listParts(value, layout);
  // What is large and neither text nor list is an object.
  else yield* objectParts(value as JsonObject, layout);
}

function whole(value: Json | undefined, { step, margin }: Layout): string {
  const text = JSON.stringify(value ?? null, undefined, step);
  // A line break inside a text is escaped in JSON, so that every one here is layout.
  return margin.length > 1 ? text.replaceAll('\n', margin) : text;
}

function* textParts(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length;) {
    const to = safeBorder(text, Math.min(text.length, from + STRIDE_CHARS));
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** Small items are serialized many at a time, which is several times faster than one by one. */
function* listParts(list: readonly Json[], layout: Layout): Generator<string> {
  const inner = deeper(layout);
  let before = `[${inner.margin}`;
  for (let from = 0; from < list.length;) {
    const to = endOfGroup(list, from);
    yield before;
    if (to === from) yield* partsOf(list[from], inner);
    else yield groupOf(list.slice(from, to), layout);
    before = `,${inner.margin}`;
    from = Math.max(to, from + 1);
  }
  yield `${layout.margin}]`;
}

/** Items from `from` on that are one stride together; none when the first is larger by itself. */
function endOfGroup(list: readonly Json[], from: number): number {
  let room = STRIDE_CHARS;
  for (let to = from; to < list.length; to += 1) {
    room -= roughChars(list[to], room) + 1;
    if (room < 0) return to;
  }
  return list.length;
}

function groupOf(items: readonly Json[], layout: Layout): string {
  const text = whole(items, layout);
  return text.slice(1 + deeper(layout).margin.length, -1 - layout.margin.length);
}

function* objectParts(object: JsonObject, layout: Layout): Generator<string> {
  const inner = deeper(layout);
  const colon = layout.margin === '' ? ':' : ': ';
  let before = `{${inner.margin}`;
  for (const key of Object.keys(object)) {
    const field = object[key];
    if (field === undefined) continue;
    yield before + JSON.stringify(key) + colon;
    yield* partsOf(field, inner);
    before = `,${inner.margin}`;
  }
  yield `${layout.margin}}`;
}

function deeper({ step, margin, depth }: Layout): Layout {
  if (depth >= limits.resultDepthMax) {
    throw new PlugError('protocol_error', 'The result is nested too deeply to be read.', { owner: 'server' });
  }
  return { step, margin: margin === '' ? '' : margin + step, depth: depth + 1 };
}
