import type { ToolResultPart } from 'ai';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { ChatMedia, ModelView } from '../hub/hub.ts';
import { modelOutput } from '../catalog/providers/ai-sdk-output.ts';
import { agentLimits } from './limits.ts';
import { takesPictures } from './model.ts';

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

/** For the server's own UI: without the marks for the model. */
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

/** An invalid type is dropped: a page may use it in a URL. */
function mimeTypeOf({ mimeType }: JsonObject): Pick<ChatMedia, 'mimeType'> {
  return typeof mimeType === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mimeType) ? { mimeType } : {};
}

function isBase64(data: unknown): data is string {
  return typeof data === 'string' && data !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/** For the model: pictures where the provider takes them, else their description. */
export function outputFor({ provider }: ModelView, result: JsonObject): ToolResultPart['output'] {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content : [];
  if (blocks.length > 0)
    return modelOutput({ ...result, content: blocks.map((block: Json) => named(block, provider)) });
  // Some providers refuse an empty text.
  const text = structuredContent === undefined ? '(no content)' : JSON.stringify(structuredContent);
  return modelOutput({ ...result, content: [{ type: 'text', text }] });
}

export function previewOf(result: JsonObject, charsMax: number): string {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const lines = content.map((block: Json) => {
    if (!isObject(block)) return '';
    return typeof block['text'] === 'string' ? unmarked(block['text']) : describe(block);
  });
  const text = lines.filter((line) => line !== '').join('\n');
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}

function named(block: Json, provider: ModelView['provider']): Json {
  if (!isObject(block)) return block;
  const { type, data, resource } = block;
  const isBlob = isObject(resource) && typeof resource['blob'] === 'string';
  const isMedia = type === 'image' || type === 'audio';
  if (!isMedia && !isBlob) return block;
  // A broken picture would spoil every later request of the conversation.
  const fits = isBase64(data) && data.length <= agentLimits.mediaCharsMax;
  if (type === 'image' && fits && takesPictures(provider)) return block;
  return { type: 'text', text: `[${describe(block)}: this model cannot be shown it]` };
}

/** Such as “image/png, 12 KB”. */
function describe({ type, data, mimeType, resource }: JsonObject): string {
  const inner = isObject(resource) ? resource : {};
  const bytes = [data, inner['blob']].find((each) => typeof each === 'string');
  const kind = [mimeType, inner['mimeType'], type].find((each) => typeof each === 'string') ?? 'content';
  const size = typeof bytes === 'string' ? `, ${Math.ceil((bytes.length * 3) / 4 / 1_024)} KB` : '';
  const uri = typeof inner['uri'] === 'string' ? ` ${inner['uri']}` : '';
  return `${kind}${size}${uri}`;
}

function unmarked(text: string): string {
  return MARKED.exec(text)?.[2] ?? text;
}

const MARKED = /^\[external data (\S+) begins\]\n[^\n]*\n([\s\S]*)\n\[external data \1 ends\]$/;
