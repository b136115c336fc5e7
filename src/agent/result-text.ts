import type { ToolResultPart } from 'ai';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { modelOutput } from '../catalog/providers/ai-sdk-output.ts';
import type { ModelView } from '../hub/hub.ts';
import { agentLimits } from './limits.ts';
import { takesPictures } from './model.ts';

/** A result as the model is given it: pictures where its provider takes them, else their names. */
export function outputFor({ provider }: ModelView, result: JsonObject): ToolResultPart['output'] {
  const { content, structuredContent } = result;
  const blocks = Array.isArray(content) ? content : [];
  if (blocks.length > 0)
    return modelOutput({ ...result, content: blocks.map((block: Json) => named(block, provider)) });
  // Something has to be answered: some providers refuse an empty text.
  const text = structuredContent === undefined ? '(no content)' : JSON.stringify(structuredContent);
  return modelOutput({ ...result, content: [{ type: 'text', text }] });
}

/** The beginning of a result, for people: without the marks that are for the model. */
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
  // A picture that is none would spoil the conversation: it is part of every request from then on.
  const fits = typeof data === 'string' && data.length <= agentLimits.mediaCharsMax && BASE64.test(data);
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

/** The text between the marks that are for the model. */
export function unmarked(text: string): string {
  return MARKED.exec(text)?.[2] ?? text;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MARKED = /^\[external data (\S+) begins\]\n[^\n]*\n([\s\S]*)\n\[external data \1 ends\]$/;
