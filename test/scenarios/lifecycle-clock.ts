import { systemClock, type Clock } from '../../src/base/clock.ts';

export interface StandingClock extends Clock {
  /** Moves time on, and lets everything happen that is due on the way. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still until it is moved. */
export function standingClock(): StandingClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    ...systemClock,
    now: () => 1_700_000_000_000 + now,
    monotonic: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
