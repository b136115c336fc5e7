import type { Cancel } from './clock.ts';

/** Where an unhandled failure happened. Its message is left out: it may quote secrets. */
export interface Fault {
  readonly during: string;
  readonly name: string;
  readonly places: readonly string[];
}

/** For listeners of servers and sockets, and timers: a failure is reported and only calls its own `end`. */
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

export function onFault(listener: (fault: Fault) => void): Cancel {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const listeners = new Set<(fault: Fault) => void>();

/** Without a listener, as in a command or a test, it is thrown: a bug must not go unseen. */
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
