import type { JsonObject } from '../../src/base/json.ts';

/** What a scripted model does with one request. */
export type Step = Answer | Failure | ((request: { readonly body: JsonObject }) => Answer | Failure);

export interface Answer {
  readonly kind: 'answer';
  /** What it thinks aloud, in chunks. */
  readonly reasoning: readonly string[];
  /** What it says, in chunks. */
  readonly says: readonly string[];
  readonly calls: readonly ScriptedCall[];
  readonly end: 'stop' | 'length' | 'calls' | 'filter';
  readonly usage: { readonly input: number; readonly output: number };
  /** Waits this long before the first byte. */
  readonly delayMs?: number;
  /** Waits this long before each further event. */
  readonly pauseMs?: number;
  /** What goes wrong on the way. */
  readonly trouble?: Trouble;
}

/**
 * `json`: an event in the middle is cut off. `split`: every byte comes by itself, also those of one
 * character. `cut`: the connection ends inside a character. `drop`: it ends before the answer's end.
 * `stall`: nothing more comes, and the connection stays. `silent`: not even a status comes.
 * `error`: the stream says in its own words that the provider failed.
 */
export type Trouble = 'json' | 'split' | 'cut' | 'drop' | 'stall' | 'silent' | 'error';

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** A text is sent as it is, however wrong. */
  readonly args?: JsonObject | string;
  /** How many characters of the arguments come at once; default 7. */
  readonly chunkChars?: number;
}

export interface Failure {
  readonly kind: 'failure';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

const usage = { input: 11, output: 7 };

export function text(...says: readonly string[]): Answer {
  return { kind: 'answer', reasoning: [], says, calls: [], end: 'stop', usage };
}

/** Tool calls, all at once when there are several. */
export function calls(...wanted: readonly ScriptedCall[]): Answer {
  return { ...text(), calls: wanted, end: 'calls' };
}

/** Nothing at all, and that is the end. */
export function nothing(): Answer {
  return text();
}

export function fail(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  message = `scripted failure ${status}`,
): Failure {
  return { kind: 'failure', status, headers, message };
}

export function broken(trouble: Trouble, answer: Answer = text('Before ', 'after.')): Answer {
  return { ...answer, trouble };
}

/** The connection ends before the answer does; without one, before the first word. */
export function drop(answer: Answer = text()): Answer {
  return { ...answer, trouble: 'drop' };
}

/** Says what it is given, and then nothing more, for as long as the other side waits. */
export function stall(answer: Answer = text()): Answer {
  return { ...answer, trouble: 'stall' };
}

export function slow(delayMs: number, answer: Answer): Answer {
  return { ...answer, delayMs };
}

/** The arguments of a call in the pieces in which they are streamed. */
export function argumentPieces({ args = {}, chunkChars = 7 }: ScriptedCall): readonly string[] {
  const whole = typeof args === 'string' ? args : JSON.stringify(args);
  const pieces = [];
  for (let at = 0; at < whole.length; at += chunkChars) pieces.push(whole.slice(at, at + chunkChars));
  return pieces;
}

export function callId({ id }: ScriptedCall, index: number): string {
  return id ?? `call_${index + 1}`;
}
