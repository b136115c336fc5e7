import { Writable, type Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { InputStream } from './terminal.ts';

interface PressKeyOptions {
  readonly input: InputStream;
  readonly output: Writable;
  readonly question: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Keys typed before the question was shown don't count, and neither does a paste. */
export async function pressKey({ input, output, question, clock, signal }: PressKeyOptions): Promise<string> {
  signal.throwIfAborted();
  const pressed = Promise.withResolvers<string>();
  let shown = false;
  const onData = (chunk: Buffer | string): void => {
    const key = pressedKey(chunk.toString());
    if (key === 'interrupt' || (shown && key !== undefined)) pressed.resolve(key);
  };
  const onEnd = (): void => pressed.resolve('escape'); // input has ended
  // The reason is whatever the caller aborts with.
  const onAbort = (): void => pressed.reject(signal.reason as Error);
  const stop = listenRaw(input, onData, onEnd);
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
    stop();
  }
}

/** Until the answer is called, each key arrives at once and is not echoed. */
function listenRaw(input: InputStream, onData: (chunk: Buffer | string) => void, onEnd: () => void) {
  input.setRawMode?.(true);
  input.ref?.();
  input.on('data', onData).once('end', onEnd).resume();
  return (): void => {
    input.off('data', onData).off('end', onEnd).pause();
    input.setRawMode?.(false);
    input.unref?.();
  };
}

const NAMED: Readonly<Record<string, string>> = {
  '\u0003': 'interrupt',
  '\u0004': 'escape',
  '\u001b': 'escape',
};

/** Undefined for more than one key: an arrow, a paste. */
function pressedKey(typed: string): string | undefined {
  if (NAMED[typed] !== undefined) return NAMED[typed];
  if (/^[\r\n]+$/.test(typed)) return 'enter';
  const [, key] = /^(\P{Cc})[\r\n]*$/u.exec(typed) ?? [];
  return key?.toLowerCase();
}

/** Every key until the reader stops: a character, or a name such as `enter`, `up` or `interrupt`. */
export async function* readKeys(input: InputStream, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const keys: string[] = [];
  let wake = Promise.withResolvers<void>();
  const push = (...more: readonly string[]): void => {
    keys.push(...more);
    wake.resolve();
  };
  const onData = (chunk: Buffer | string): void => push(...keysIn(chunk.toString()));
  const onEnd = (): void => push('escape'); // input has ended
  const onAbort = (): void => wake.resolve();
  const stop = listenRaw(input, onData, onEnd);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      await wake.promise;
      wake = Promise.withResolvers<void>();
      signal.throwIfAborted();
      while (keys.length > 0) yield keys.shift() ?? '';
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop();
  }
}

const SEQUENCES: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\r': 'enter',
  '\n': 'enter',
  ' ': 'space',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u0004': 'escape',
  '\u001b': 'escape',
};

export function keysIn(typed: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- keys are control characters.
  const parts = typed.match(/\u001b(?:[[O][0-9;]*[A-Za-z~])?|[^]/gu) ?? [];
  return parts.flatMap((part) => {
    const named = SEQUENCES[part];
    if (named !== undefined) return [named];
    return /^\P{Cc}$/u.test(part) ? [part.toLowerCase()] : [];
  });
}

interface AskHiddenOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Whether Esc leaves the question, as Ctrl-C does. */
  readonly escapes?: boolean;
}

/** Asks for one line without echo. */
export async function askHidden(
  question: string,
  { input, output, signal, escapes = false }: AskHiddenOptions,
): Promise<{ readonly typed: string } | { readonly left: 'interrupt' | 'escape' }> {
  const { createInterface } = await import('node:readline/promises');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const left = Promise.withResolvers<{ readonly left: 'interrupt' | 'escape' }>();
  lines.once('SIGINT', () => left.resolve({ left: 'interrupt' }));
  if (escapes)
    input.on('keypress', (_text: string | undefined, key: { readonly name?: string }) => {
      if (key.name === 'escape') left.resolve({ left: 'escape' });
    });
  output.write(question);
  try {
    const typed = lines.question('', { signal }).then((text) => ({ typed: text }));
    return await Promise.race([typed, left.promise]);
  } finally {
    lines.close();
    output.write('\n');
  }
}
