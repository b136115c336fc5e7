import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { jsonParts } from './serialize.ts';
import { mediaOf } from './weigh.ts';

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
