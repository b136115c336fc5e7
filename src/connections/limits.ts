import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';

/** Time and its bounds, passed in so that tests can set them. */
export interface Bounds {
  readonly clock: Clock;
  readonly limits: Limits;
}

export interface Runtime extends Bounds {
  readonly ids: Ids;
}

/** Bounds of single links, beside those of the whole product in base/limits.ts. */
export const linkLimits = {
  /** Open questions of one server to its host; further ones are refused. */
  questionsOpenMax: 64,
  /** Pages of one link whose end is still to be told to their host; the oldest is forgotten first. */
  pagesRememberedMax: 256,
  /** A longer tool description is cut, with a note. */
  descriptionCharsMax: 64 * 1024,
  /** A tool whose definition is larger is set aside. */
  toolBytesMax: 1024 * 1024,
} as const;
