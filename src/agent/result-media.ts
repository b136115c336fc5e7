import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { ChatMedia } from '../hub/hub.ts';
import { unmarked } from './result-text.ts';

/**
 * Pictures, sounds and resources of a result, for people: in their order, as long as they fit. One
 * that does not is left out, and the result says what it was.
 */
export function mediaOf(result: JsonObject, charsMax: number): readonly ChatMedia[] {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  let room = charsMax;
  return content.flatMap((block: Json): readonly ChatMedia[] => {
    const media = isObject(block) ? mediumOf(block) : undefined;
    const chars = (media?.data?.length ?? 0) + (media?.text?.length ?? 0) + (media?.uri?.length ?? 0);
    if (media === undefined || chars > room) return [];
    room -= chars;
    return [media];
  });
}

/** A result for the page that its server brings along: without the marks that are for the model. */
export function appResult(result: JsonObject, charsMax: number): { readonly result?: JsonObject } {
  const { content } = result;
  const plain = Array.isArray(content)
    ? content.map((block: Json) =>
        isObject(block) && typeof block['text'] === 'string'
          ? { ...block, text: unmarked(block['text']) }
          : block,
      )
    : content;
  const whole = { ...result, ...(plain === undefined ? {} : { content: plain }) };
  return JSON.stringify(whole).length > charsMax ? {} : { result: whole };
}

function mediumOf(block: JsonObject): ChatMedia | undefined {
  const { type, data, resource } = block;
  if (type === 'image' || type === 'audio') {
    return isBase64(data) ? { kind: type, ...mimeTypeOf(block), data } : undefined;
  }
  if (type === 'resource_link') return placed(block, {});
  if (type !== 'resource' || !isObject(resource)) return undefined;
  const { text, blob } = resource;
  if (typeof text === 'string') return placed(resource, { text: unmarked(text) });
  return placed(resource, isBase64(blob) ? { data: blob } : {});
}

function placed(resource: JsonObject, more: Pick<ChatMedia, 'data' | 'text'>): ChatMedia | undefined {
  const { uri } = resource;
  return typeof uri === 'string' ? { kind: 'resource', ...mimeTypeOf(resource), uri, ...more } : undefined;
}

/** What is no type is not repeated: a page may put it where an address begins. */
function mimeTypeOf({ mimeType }: JsonObject): Pick<ChatMedia, 'mimeType'> {
  return typeof mimeType === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mimeType) ? { mimeType } : {};
}

function isBase64(data: unknown): data is string {
  return typeof data === 'string' && data !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
