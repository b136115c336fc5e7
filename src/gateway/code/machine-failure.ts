import { isObject } from '../../base/json.ts';
import { codeLimits } from './limits.ts';
import type { ScriptFailure } from './thread-messages.ts';

/** Of the function around the script. */
export const LINES_BEFORE = 1;

export function failureOfError(error: unknown): ScriptFailure {
  const text = (field: string): string => {
    const value = isObject(error) ? error[field] : field === 'message' ? error : undefined;
    return typeof value === 'string' ? value.slice(0, codeLimits.errorCharsMax) : '';
  };
  return { ...thrown(text('name'), text('message')), ...placeOf(text('stack')) };
}

export const TROUBLES: Readonly<Record<'late' | 'stuck' | 'broken', ScriptFailure>> = {
  late: { kind: 'time', message: 'The script worked for longer than it may.' },
  stuck: {
    kind: 'threw',
    message: 'The script waits for a promise that nothing will settle. There are no timers in it.',
  },
  broken: { kind: 'memory', message: 'The script asked for more than its machine can bear.' },
};

function thrown(name: string, message: string): ScriptFailure {
  if (name === 'SyntaxError') return { kind: 'syntax', message };
  if (name === 'InternalError' && /(out of memory|string too long)$/.test(message))
    return { kind: 'memory', message: 'The script needed more memory than it may have.' };
  if (name === 'InternalError' && message.endsWith('stack overflow'))
    return { kind: 'memory', message: 'The script called itself too deeply.' };
  return { kind: 'threw', message: message || 'The script threw an error without a message.' };
}

export function failureAtEnd(name: string, message: string, stack: string): ScriptFailure {
  if (name === 'limit') return { kind: 'calls', message, ...placeOf(stack) };
  // At run time a SyntaxError comes from something the script parsed, not from its own text.
  const failure = name === 'SyntaxError' ? thrown('', message) : thrown(name, message);
  return { ...failure, ...placeOf(stack) };
}

function placeOf(stack: string): Pick<ScriptFailure, 'line' | 'column'> {
  const [, line = '', column = ''] = /\bscript\.ts:(\d{1,9}):(\d{1,9})/.exec(stack) ?? [];
  if (line === '') return {};
  // Anything else is at the function around the script.
  if (Number(line) <= LINES_BEFORE) return { line: 1 };
  return { line: Number(line) - LINES_BEFORE, column: Number(column) };
}
