import { stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { assert, messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { LINES_BEFORE } from './machine-failure.ts';
import { openMachine } from './machine.ts';
import type { Answer, ScriptFailure, ThreadSaid, ThreadStart } from './thread-messages.ts';

const port = parentPort;
assert(port, 'this file runs only as a thread of sandbox');
const { code, names, limits } = workerData as ThreadStart; // given by sandbox
const onSaid = (said: ThreadSaid): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(said);
};

const script = stripTypes();
if (typeof script !== 'string') onSaid({ kind: 'failed', failure: script });
else {
  const machine = await openMachine({ limits, names, clock: systemClock, onSaid });
  port.on('message', (answer: Answer) => machine.settle(answer));
  onSaid({ kind: 'started' });
  machine.run(script);
}

/** An expression whose value is an async function; the script starts on its second line. */
function stripTypes(): string | ScriptFailure {
  try {
    // The script may end in a comment.
    return stripTypeScriptTypes(`(async function script() {\n${code}\n})`);
  } catch (error) {
    return { kind: 'syntax', message: sentenceOf(error), ...placeInStack(error) };
  }
}

function sentenceOf(error: unknown): string {
  const cause = isObject(error) ? error['code'] : undefined;
  if (cause === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return `${messageOf(error)}. Only TypeScript whose types can be erased is run: no enum, no namespace, no parameter properties.`;
  if (cause === 'ERR_INVALID_TYPESCRIPT_SYNTAX') return `${messageOf(error)}.`;
  return 'The script could not be parsed; it may be nested too deeply.';
}

/** Node reports the place only at the top of the stack: file:line, the source, and carets below it. */
function placeInStack(error: unknown): Pick<ScriptFailure, 'line' | 'column'> {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const line = Number(/^[^\n]{0,200}:(\d+)\n/.exec(stack)?.[1] ?? Number.NaN) - LINES_BEFORE;
  if (!(line >= 1)) return {};
  const carets = /\n([ \t]*)\^+[ \t]*\n/.exec(stack);
  return carets ? { line, column: (carets[1] ?? '').length + 1 } : { line };
}
