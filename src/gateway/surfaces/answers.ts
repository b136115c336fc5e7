import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

export function textAnswer(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

export function badArgument(tool: string, field: string, what: string): PlugError {
  return new PlugError('bad_arguments', `The argument “${field}” of ${tool} is wrong: ${what}.`, {
    owner: 'you',
    remedy: `Call ${tool} again with “${field}” corrected.`,
    details: { field },
  });
}

/** An unknown name in an argument is for the model to read; an unknown tool is the host's error. */
export function inArgument<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof PlugError) || error.code !== 'not_found') throw error;
    throw PlugError.fromView({ ...error.toView(), code: 'bad_arguments' });
  }
}

export function textArgument(args: JsonObject, field: string, tool: string): string {
  const value = args[field];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badArgument(tool, field, value === undefined ? 'it is required' : 'it must be text');
}

/** A single text counts as a list of one: models write that. */
export function textsArgument(args: JsonObject, field: string, tool: string): readonly string[] {
  const value = args[field];
  const list: readonly Json[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const texts = list.filter((each) => typeof each === 'string' && each.trim() !== '');
  if (texts.length > 0 && texts.length === list.length) return texts as readonly string[]; // filtered above
  throw badArgument(tool, field, value === undefined ? 'it is required' : 'it must be a list of texts');
}

/** Also as JSON text, as some models write it; absent means empty. */
export function objectArgument(args: JsonObject, field: string, tool: string): JsonObject {
  const value = args[field];
  if (value === undefined || value === null || value === '') return {};
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (isObject(parsed)) return parsed as JsonObject; // JSON came in
  throw badArgument(tool, field, 'it must be an object');
}

export function numberArgument(args: JsonObject, field: string, tool: string): number | undefined {
  const value = args[field];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1) return number;
  throw badArgument(tool, field, 'it must be a whole number from 1');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
