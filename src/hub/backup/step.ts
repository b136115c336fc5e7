import type { RestoredThing } from '../maintenance.ts';

/** One thing that a backup brings. */
export interface Step {
  readonly thing: RestoredThing;
  /** `same`: it is here exactly so. `taken`: something else is here under its name. */
  readonly here: 'absent' | 'same' | 'taken';
  /** A sentence when it cannot be restored whatever is asked for. */
  readonly impossible?: string;
  readonly apply: () => Promise<void>;
}

export function hereOf<T>(known: T | undefined, isSame: (known: T) => boolean): Step['here'] {
  if (known === undefined) return 'absent';
  return isSame(known) ? 'same' : 'taken';
}
