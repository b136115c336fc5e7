import { isObject } from '../../../src/base/json.ts';
import type { CallResult, ChatMedia, Json } from '../hub/hub-context.tsx';
import type { ResultViewProps } from './result-view.tsx';

/** An MCP result as `ResultView` shows it. */
export function shownResult({ result, handle }: Pick<CallResult, 'result' | 'handle'>): ResultViewProps {
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const texts: string[] = [];
  const media: ChatMedia[] = [];
  for (const block of content) {
    if (!isObject(block)) continue;
    const found = mediaOf(block);
    if (found) media.push(found);
    else if (block['type'] === 'text') texts.push(textIn(block['text']) ?? '');
    else texts.push(JSON.stringify(block, undefined, 2));
  }
  const structured = result['structuredContent'];
  return {
    text: texts.join('\n'),
    media,
    ...(handle === undefined ? {} : { resultId: handle.id }),
    // Most servers say the same twice; once is enough.
    ...(structured === undefined || saysTheSame(texts, structured) ? {} : { structured }),
  };
}

function mediaOf(block: Record<string, unknown>): ChatMedia | undefined {
  const { type } = block;
  if (type === 'image' || type === 'audio') return { kind: type, ...partsOf(block) };
  if (type === 'resource_link') return { kind: 'resource', ...partsOf(block) };
  if (type === 'resource' && isObject(block['resource'])) {
    const { resource } = block;
    const blob = textIn(resource['blob']);
    return { kind: 'resource', ...partsOf(resource), ...(blob === undefined ? {} : { data: blob }) };
  }
  return undefined;
}

function partsOf(from: Record<string, unknown>): Omit<ChatMedia, 'kind'> {
  const parts = ['mimeType', 'data', 'uri', 'text'].flatMap((name) => {
    const text = textIn(from[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(parts) as Omit<ChatMedia, 'kind'>; // these names, each with a text
}

function saysTheSame(texts: readonly string[], structured: Json): boolean {
  const [text = ''] = texts;
  if (texts.length !== 1 || text.length > COMPARED_CHARS_MAX) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false; // the text is no JSON
  }
}

const COMPARED_CHARS_MAX = 200_000;

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
