import type { ToolResultPart } from 'ai';
import { isObject } from '../../base/json.ts';

type Output = ToolResultPart['output'];
type Part = Extract<Output, { type: 'content' }>['value'][number];

export function modelOutput(result: unknown): Output {
  const content = isObject(result) && Array.isArray(result['content']) ? result['content'] : undefined;
  if (!isObject(result) || !content) return { type: 'text', value: JSON.stringify(result) ?? '' };
  const parts = content.map(partOf);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (result['isError'] === true) return { type: 'error-text', value: texts.join('\n') };
  return texts.length === parts.length
    ? { type: 'text', value: texts.join('\n') }
    : { type: 'content', value: parts };
}

function partOf(content: unknown): Part {
  if (!isObject(content)) return { type: 'text', text: JSON.stringify(content) ?? '' };
  const { type, text, data, mimeType } = content;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return { type: 'file', data: { type: 'data', data }, mediaType: mimeType };
  }
  return { type: 'text', text: JSON.stringify(content) };
}
