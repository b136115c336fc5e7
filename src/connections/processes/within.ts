import type { Clock } from '../../base/clock.ts';

/** Answers whether the promise settled within `ms`. */
export async function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, timer.signal).then(
    () => false,
    () => false, // aborted below: the race is already decided
  );
  const inTime = await Promise.race([settled, late]);
  timer.abort();
  return inTime;
}
