import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cancel, Clock } from '../base/clock.ts';

/**
 * A hub runs for days beside everything else on the machine, and gets busy at times. The engine is
 * told so (decisions/2026-11-16-engine-flags.md has the figures).
 */
export function tuneEngine(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

const FLAGS = [
  // Left to itself the engine lets garbage grow to several times what is alive. Collecting sooner costs
  // a busy hub little, and one at rest nothing.
  '--heap-growing-percent=20',
  // Of what a call needs, much is alive in one collection or another, as calls take their time. The engine
  // then takes it for what lives long, and keeps it where only the dear kind of collection finds it.
  '--no-allocation-site-pretenuring',
  // The compiler between the quick one and the good one: what it holds while it works, some 30 MB, is not
  // given back, and what it gains is over once the good one has been there.
  '--no-maglev',
];

/**
 * Starting leaves much behind that is not needed any more, and a hub at rest makes no new garbage
 * that would have it collected: so that is done once, when nobody waits for an answer.
 */
export function collectOnceSettled(clock: Clock, settledMs: number): Cancel {
  return clock.after(settledMs, () => {
    // The same as node --expose-gc; there is no other way to a function of the engine's own.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: object) => void; // what the flag has just made
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  });
}
