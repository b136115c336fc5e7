import type { Ids } from './ids.ts';

/** Exponential backoff with full jitter: at least half of the step, so that it never storms. */
export function backoffMs(options: {
  readonly attempt: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly ids: Ids;
}): number {
  const step = Math.min(options.maxMs, options.baseMs * 2 ** Math.min(options.attempt, 30));
  return Math.round(step / 2 + (step / 2) * options.ids.random());
}
