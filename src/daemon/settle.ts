import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cancel, Clock } from '../base/clock.ts';

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
