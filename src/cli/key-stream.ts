import type { Readable } from 'node:stream';

type KeyInput = Readable & {
  readonly setRawMode?: (on: boolean) => unknown;
  readonly ref?: () => unknown;
  readonly unref?: () => unknown;
};

/**
 * Every key until whoever reads has enough: a character, or one of `enter`, `escape`, `up`, `down`,
 * `space`, `tab`, `backspace` and `interrupt`. The terminal is as it was when the reading ends.
 */
export async function* readKeys(input: KeyInput, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const keys: string[] = [];
  let wake = Promise.withResolvers<void>();
  const push = (...more: readonly string[]): void => {
    keys.push(...more);
    wake.resolve();
  };
  const onData = (chunk: Buffer | string): void => push(...keysIn(chunk.toString()));
  const onEnd = (): void => push('escape'); // nobody is there any more
  const onAbort = (): void => wake.resolve();
  input.setRawMode?.(true);
  input.ref?.();
  input.on('data', onData).once('end', onEnd).resume();
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
    input.off('data', onData).off('end', onEnd).pause();
    input.setRawMode?.(false);
    input.unref?.();
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

/** One chunk may hold several keys; a sequence that has no name here counts for nothing. */
export function keysIn(typed: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- keys are control characters.
  const parts = typed.match(/\u001b(?:[[O][0-9;]*[A-Za-z~])?|[^]/gu) ?? [];
  return parts.flatMap((part) => {
    const named = SEQUENCES[part];
    if (named !== undefined) return [named];
    return /^\P{Cc}$/u.test(part) ? [part.toLowerCase()] : [];
  });
}
