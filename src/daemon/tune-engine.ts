import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../base/clock.ts';

/** Tunes the engine for a process that runs for days (see decisions/2026-11-16-engine-flags.md). */
export function tuneEngine(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

const FLAGS = [
  // By default garbage grows to several times the live heap. Collecting sooner costs a busy hub little.
  '--heap-growing-percent=20',
  // Objects of a call often survive a collection. The engine then allocates them in the old generation,
  // where only a major collection frees them.
  '--no-allocation-site-pretenuring',
  // The mid-tier compiler keeps some 30 MB, and its gain ends once the optimizing one has run.
  '--no-maglev',
];

/** Collects the garbage of the start once: an idle hub makes no new garbage that would trigger it. */
export function collectOnceSettled(clock: Clock, settledMs: number): Disposable {
  const cancel = clock.after(settledMs, () => {
    // Like node --expose-gc, but only here.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: object) => void; // what the flag has just made
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  });
  return { [Symbol.dispose]: cancel };
}
