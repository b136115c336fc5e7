import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { mediaOf, roughChars } from './weigh.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { safeBorder } from './cut.ts';

/** A result as a person reads it; pages and searches use this text. */
export function* renderParts(result: JsonObject): Generator<string> {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly Json[]) : [];
  let gap = '';
  for (const block of content) {
    yield gap;
    yield* blockParts(block);
    gap = '\n\n';
  }
  for (const [key, field] of Object.entries(result)) {
    if (key === 'content' || key === 'isError' || key === '_meta' || field === undefined) continue;
    yield `${gap}${key === 'structuredContent' ? 'Structured content' : key}:\n`;
    yield* jsonParts(field, 2);
    gap = '\n\n';
  }
}

function* blockParts(block: Json): Generator<string> {
  const fields: Record<string, unknown> = isObject(block) ? block : {};
  const resource = isObject(fields['resource']) ? fields['resource'] : {};
  const media = mediaOf(block);
  if (fields['type'] === 'text' && typeof fields['text'] === 'string') yield fields['text'];
  else if (fields['type'] === 'resource' && typeof resource['text'] === 'string') {
    yield `Resource ${String(resource['uri'])}:\n`;
    yield resource['text'];
  } else if (media === undefined) yield* jsonParts(block, 2);
  else yield describeMedia(block, media);
}

/** “[image image/png, 1.2 MB]” */
export function describeMedia(block: Json, media: string): string {
  const fields: Record<string, unknown> = isObject(block) ? block : {};
  const resource = isObject(fields['resource']) ? fields['resource'] : {};
  const type = fields['mimeType'] ?? resource['mimeType'];
  const named = [fields['type'], type, resource['uri']].filter((word) => typeof word === 'string');
  return `[${named.join(' ')}, ${sizeInWords((media.length * 3) / 4)}]`;
}

const STRIDE_CHARS = 64 * 1024;

/** JSON text in small parts, so that the reader can yield in between. */
export function* jsonParts(value: Json | undefined, indent: number = 0): Generator<string> {
  yield* partsOf(value, { step: ' '.repeat(indent), margin: indent === 0 ? '' : '\n', depth: 0 });
}

interface Layout {
  readonly step: string;
  readonly margin: string;
  readonly depth: number;
}

function* partsOf(value: Json | undefined, layout: Layout): Generator<string> {
  if (typeof value === 'string' && value.length > STRIDE_CHARS) yield* textParts(value);
  else if (!isContainer(value) || roughChars(value, STRIDE_CHARS) <= STRIDE_CHARS) yield whole(value, layout);
  else if (Array.isArray(value)) yield* listParts(value, layout);
  else yield* objectParts(value as JsonObject, layout); // neither text nor list
}

/** Numbers may be long, too. */
function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isObject(value);
}

function whole(value: Json | undefined, { step, margin }: Layout): string {
  const text = JSON.stringify(value ?? null, undefined, step);
  // Line breaks inside texts are escaped: each one here is layout.
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

/** Small items are serialized in groups, several times faster than one by one. */
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

/** None if the first alone exceeds a stride. */
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
