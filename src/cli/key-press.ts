import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';

/** A character in lower case, or one of the keys that have a name. */
type Key = string;

type KeyInput = Readable & {
  readonly setRawMode?: (on: boolean) => unknown;
  readonly ref?: () => unknown;
  readonly unref?: () => unknown;
};

interface PressKeyOptions {
  readonly input: KeyInput;
  readonly output: Writable;
  readonly question: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Asks for one key. What was typed before the question could be read does not count: nobody
 * agrees to what they have not seen, and a paste of many characters is no answer either.
 */
export async function pressKey({ input, output, question, clock, signal }: PressKeyOptions): Promise<Key> {
  signal.throwIfAborted();
  const pressed = Promise.withResolvers<Key>();
  let shown = false;
  const onData = (chunk: Buffer | string): void => {
    const key = keyOf(chunk.toString());
    if (key === 'interrupt' || (shown && key !== undefined)) pressed.resolve(key);
  };
  const onEnd = (): void => pressed.resolve('escape'); // nobody is there to answer
  // The reason is whatever the caller aborts with.
  const onAbort = (): void => pressed.reject(signal.reason as Error);
  input.setRawMode?.(true);
  input.ref?.();
  input.on('data', onData).once('end', onEnd).resume();
  try {
    await clock.sleep(limits.typedAheadMs, signal);
    signal.addEventListener('abort', onAbort, { once: true });
    shown = true;
    output.write(question);
    const key = await pressed.promise;
    output.write(`${/^\w$/.test(key) ? key : ''}\n`);
    return key;
  } finally {
    signal.removeEventListener('abort', onAbort);
    input.off('data', onData).off('end', onEnd).pause();
    input.setRawMode?.(false);
    input.unref?.();
  }
}

const NAMED: Readonly<Record<string, Key>> = {
  '\u0003': 'interrupt',
  '\u0004': 'escape',
  '\u001b': 'escape',
};

/** Undefined for what is no single key: an arrow, a paste. */
function keyOf(typed: string): Key | undefined {
  if (NAMED[typed] !== undefined) return NAMED[typed];
  if (/^[\r\n]+$/.test(typed)) return 'enter';
  const [, key] = /^(\P{Cc})[\r\n]*$/u.exec(typed) ?? [];
  return key?.toLowerCase();
}
