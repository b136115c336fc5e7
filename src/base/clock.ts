import { guarded } from './faults.ts';

/** Time as a dependency. Only this file may touch timers and Date. */
export interface Clock {
  /** Wall time, epoch milliseconds: for records that people read. */
  now(): number;
  /** Monotonic milliseconds: for durations and deadlines; survives clock changes. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms` unless cancelled. Does not keep the process alive. */
  after(ms: number, run: () => void): Cancel;
  /** Calls `run` every `ms` until cancelled. Does not keep the process alive. */
  every(ms: number, run: () => void): Cancel;
}

export type Cancel = () => void;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
  after: (ms, run) => {
    const timer = setTimeout(guarded('a timer', run), ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every: (ms, run) => {
    const timer = setInterval(guarded('a timer', run), ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Aborts with a TimeoutError after `ms`. Does not keep the process alive. */
export function timeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** Keeps the process running while a program iterates: a promise that is still open does not. */
export async function* stayingAlive<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  const timer = setInterval(() => undefined, STAYING_MS);
  try {
    yield* values;
  } finally {
    clearInterval(timer);
  }
}

const STAYING_MS = 3_600_000;
