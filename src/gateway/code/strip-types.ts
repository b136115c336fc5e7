import { stripTypeScriptTypes } from 'node:module';
import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { ScriptFailure } from './thread-messages.ts';

/** An expression whose value is an async function; the script starts on its second line. */
export function stripTypes(
  code: string,
):
  | { readonly kind: 'stripped'; readonly text: string }
  | { readonly kind: 'bad'; readonly failure: ScriptFailure } {
  try {
    // The script may end in a comment.
    return { kind: 'stripped', text: stripTypeScriptTypes(`(async function script() {\n${code}\n})`) };
  } catch (error) {
    return { kind: 'bad', failure: { kind: 'syntax', message: sentenceOf(error), ...placeOf(error) } };
  }
}

export const LINES_BEFORE = 1;

function sentenceOf(error: unknown): string {
  const code = isObject(error) ? error['code'] : undefined;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return `${messageOf(error)}. Only TypeScript whose types can be erased is run: no enum, no namespace, no parameter properties.`;
  if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') return `${messageOf(error)}.`;
  return 'The script could not be parsed; it may be nested too deeply.';
}

/** Node reports the place only at the top of the stack: file:line, the source, and carets below it. */
function placeOf(error: unknown): { readonly line?: number; readonly column?: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const line = Number(/^[^\n]{0,200}:(\d+)\n/.exec(stack)?.[1] ?? Number.NaN) - LINES_BEFORE;
  if (!(line >= 1)) return {};
  const carets = /\n([ \t]*)\^+[ \t]*\n/.exec(stack);
  return carets ? { line, column: (carets[1] ?? '').length + 1 } : { line };
}
