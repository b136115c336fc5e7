import { systemClock, type Clock } from '../../src/base/clock.ts';

interface SkippingClock extends Clock {
  /** So much time has passed at once: what was due on the way happens now. */
  skip(ms: number): void;
}

/** The real clock, so that real processes go on; but a test may skip minutes and days. */
export function skippingClock(): SkippingClock {
  let skipped = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const monotonic = (): number => systemClock.monotonic() + skipped;
  return {
    ...systemClock,
    now: () => systemClock.now() + skipped,
    monotonic,
    after: (ms, run) => {
      const fire = (): void => {
        if (timers.delete(timer)) run();
      };
      const timer = { at: monotonic() + ms, run: fire };
      timers.add(timer);
      const cancel = systemClock.after(ms, fire);
      return () => {
        timers.delete(timer);
        cancel();
      };
    },
    skip: (ms) => {
      skipped += ms;
      for (const { at, run } of timers) if (at <= monotonic()) run();
    },
  };
}
