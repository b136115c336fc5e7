import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { CallResult } from '../../hub/hub.ts';
import { WARNING, faint, type Output } from '../output.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { textOrJson } from './text.ts';

export function renderCallResult(call: CallResult, out: Output): void {
  const content = Array.isArray(call.result['content']) ? (call.result['content'] as readonly unknown[]) : [];
  // An error is a word to the person, and must not look like one of ours, in a pipe neither.
  const isError = call.result['isError'] === true;
  for (const block of content) {
    if (isError) out.quote(renderContent(block));
    else out.body(renderContent(block));
  }
  const structured = call.result['structuredContent'];
  if (structured !== undefined && !content.some((block) => says(block, structured)))
    out.text(JSON.stringify(structured, undefined, 2));
  if (content.length === 0 && structured === undefined) out.line(faint('(the tool returned nothing)'));
}

/** Beside the answer, so that a pipe gets the beginning and nothing else. */
export function renderHandle({ handle }: CallResult, out: Output): void {
  if (!handle || out.json) return; // the document names it already
  const { id, bytes, pages } = handle;
  out.note(
    WARNING,
    `This is the beginning. All of it, ${sizeInWords(bytes)} in ${pages} pages, is kept as ${id}.`,
  );
  out.note(faint('  next   '), `plug results ${id} --page 2, or --grep RE, or --path JSONPATH`);
}

export function renderContent(block: unknown): string {
  if (!isObject(block)) return `[unknown content] ${JSON.stringify(block)}`;
  switch (block['type']) {
    case 'text':
      return textOrJson(block['text'] ?? '');
    case 'image':
    case 'audio':
      return `[${block['type']} ${textOrJson(block['mimeType'] ?? 'of unknown type')}, ${base64Size(block['data'])}]`;
    case 'resource_link':
      return `[link ${textOrJson(block['name'] ?? '')} ${textOrJson(block['uri'] ?? '')}]`;
    case 'resource':
      return renderResource(block['resource']);
    default:
      return `[${textOrJson(block['type'] ?? 'unknown content')}] ${JSON.stringify(block)}`;
  }
}

export function renderResource(resource: unknown): string {
  if (!isObject(resource)) return '[resource]';
  if (typeof resource['text'] === 'string') return resource['text'];
  const kind = textOrJson(resource['mimeType'] ?? 'of unknown type');
  return `[resource ${textOrJson(resource['uri'] ?? '')} ${kind}, ${base64Size(resource['blob'])}]`;
}

/** Servers often repeat structured content as text; people need it once. */
function says(block: unknown, structured: unknown): boolean {
  if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false;
  try {
    return isDeepStrictEqual(parseJson(block['text']), structured);
  } catch {
    return false; // Plain text: it says something of its own.
  }
}

function base64Size(data: unknown): string {
  return typeof data === 'string' ? sizeInWords(Math.floor((data.length * 3) / 4)) : 'no data';
}
