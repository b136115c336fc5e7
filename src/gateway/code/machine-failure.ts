import { isObject } from '../../base/json.ts';
import { codeLimits } from './limits.ts';
import type { ScriptFailure } from './thread-messages.ts';
import { LINES_BEFORE } from './strip-types.ts';

/** What went wrong in a machine: it was too late, waits for nothing, threw, or the machine itself broke. */
export type MachineTrouble = 'late' | 'stuck' | 'error' | 'broken';

/** `error` is what the machine tells of an error: its name, its message and its stack. */
export function failureOf(trouble: MachineTrouble, error: unknown): ScriptFailure {
  if (trouble !== 'error') return TROUBLES[trouble];
  const { name, message, stack } = textsOf(error);
  return { ...thrown(name, message), ...placeOf(stack) };
}

const TROUBLES: Readonly<Record<Exclude<MachineTrouble, 'error'>, ScriptFailure>> = {
  late: { kind: 'time', message: 'The script worked for longer than it may.' },
  stuck: {
    kind: 'threw',
    message: 'The script waits for a promise that nothing will settle. There are no timers in it.',
  },
  broken: { kind: 'memory', message: 'The script asked for more than its machine can bear.' },
};

/** What an error that nobody caught in the script means. */
function thrown(name: string, message: string): ScriptFailure {
  if (name === 'SyntaxError') return { kind: 'syntax', message };
  if (name === 'InternalError' && /(out of memory|string too long)$/.test(message))
    return { kind: 'memory', message: 'The script needed more memory than it may have.' };
  if (name === 'InternalError' && message.endsWith('stack overflow'))
    return { kind: 'memory', message: 'The script called itself too deeply.' };
  return {
    kind: 'threw',
    message: message === '' ? 'The script threw an error without a message.' : message,
  };
}

/** An error that reached the end of the script: what the prelude says of it. */
export function failureAtEnd(name: string, message: string, stack: string): ScriptFailure {
  if (name === 'limit') return { kind: 'calls', message, ...placeOf(stack) };
  // A SyntaxError at run time is of something that the script parsed, and no mistake in its own text.
  const failure = name === 'SyntaxError' ? thrown('', message) : thrown(name, message);
  return { ...failure, ...placeOf(stack) };
}

function textsOf(error: unknown): {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
} {
  const text = (value: unknown): string =>
    typeof value === 'string' ? value.slice(0, codeLimits.errorCharsMax) : '';
  if (!isObject(error)) return { name: '', message: text(error), stack: '' };
  return { name: text(error['name']), message: text(error['message']), stack: text(error['stack']) };
}

/** The innermost line of the script itself. */
function placeOf(stack: string): { readonly line?: number; readonly column?: number } {
  const [, line = '', column = ''] = /\bscript\.ts:(\d{1,9}):(\d{1,9})/.exec(stack) ?? [];
  if (line === '') return {};
  // What cannot be told more exactly is told to be at the function around the script.
  if (Number(line) <= LINES_BEFORE) return { line: 1 };
  return { line: Number(line) - LINES_BEFORE, column: Number(column) };
}
