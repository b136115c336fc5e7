import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/**
 * What a tool's result is inside a script: its structured content; else its text, parsed if it is a
 * JSON object or list. A text such as `1.10` stays a text, because as a number it would be another.
 * Content that is not text alone is given as it is. A result that is an error is thrown.
 */
export function toolValue(result: JsonObject): Json {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.flatMap((item: unknown) =>
    isObject(item) && item['type'] === 'text' && typeof item['text'] === 'string' ? [item['text']] : [],
  );
  const text = texts.join('\n');
  if (result['isError'] === true) {
    throw new PlugError('server_error', text === '' ? 'The tool failed and did not say why.' : text, {
      owner: 'server',
    });
  }
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  return texts.length === content.length ? parsed(text) : content;
}

function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return text; // it only looked like JSON
  }
}
