import { isObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';

/** Whether a tool can be called without arguments. */
export function needsNothing({ definition, schema }: Tool): boolean {
  const input = schema ?? definition['inputSchema'];
  const required = isObject(input) ? input['required'] : undefined;
  return !Array.isArray(required) || required.length === 0;
}

export function resultText(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => (isObject(part) ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}
