import { isObject } from '../../base/json.ts';
import { learnedLimits as limits } from './limits.ts';

/** Structured content, else text that is a JSON object or list, else the content. */
export function resultValue(
  result: Readonly<Record<string, unknown>>,
  textCharsMax: number = limits.textCharsMax,
): unknown {
  const structured = result['structuredContent'];
  if (structured !== undefined && structured !== null) return structured;
  const content = result['content'];
  const [first, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const text = isObject(first) && others.length === 0 ? first['text'] : undefined;
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text) || text.length > textCharsMax) return content ?? [];
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return content; // a text that merely begins like JSON
  }
}
