import type { Cancel } from './clock.ts';

/**
 * A failure that nothing of ours has dealt with: where it happened. Its message may quote anything,
 * secrets too, so that it is never part of it.
 */
export interface Fault {
  /** What was under way, such as “a request”. */
  readonly during: string;
  readonly name: string;
  /** The lines of its stack. */
  readonly places: readonly string[];
}

/**
 * Makes a listener that cannot throw to the top of the process, nor reject there. What it throws ends
 * only what it belongs to (`end`, such as the request or the socket) and is reported.
 *
 * Every listener of a server or a socket, and every timer, is made with it.
 */
export function guarded<A extends readonly unknown[]>(
  during: string,
  run: (...given: A) => unknown,
  end?: (...given: A) => unknown,
): (...given: A) => void {
  return (...given) => {
    const fail = (error: unknown): void => {
      reportFault(during, error);
      try {
        end?.(...given);
      } catch (second) {
        reportFault(during, second);
      }
    };
    try {
      const begun = run(...given);
      if (begun instanceof Promise) begun.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Hears of every fault from now on, until cancelled. A process that serves others does so. */
export function onFault(listener: (fault: Fault) => void): Cancel {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const listeners = new Set<(fault: Fault) => void>();

/** Where nobody listens, such as in a command or in a test, it is thrown: a bug must not stay unseen. */
export function reportFault(during: string, error: unknown): void {
  if (listeners.size === 0) {
    queueMicrotask(() => {
      throw error;
    });
    return;
  }
  const fault = faultOf(during, error);
  for (const listener of listeners) listener(fault);
}

export function faultOf(during: string, error: unknown): Fault {
  if (!(error instanceof Error)) return { during, name: typeof error, places: [] };
  const { name, stack = '', message } = error;
  const places = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, PLACES_MAX)
    .map((line) => line.trim());
  return { during, name, places };
}

const PLACES_MAX = 8;
