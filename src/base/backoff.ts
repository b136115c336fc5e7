import type { Ids } from './ids.ts';

/** Exponential backoff with full jitter: at least half of the step, so that it never storms. */
export function backoffMs({ attempt, baseMs, maxMs, ids }: Backoff): number {
  const step = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return Math.round(step / 2 + (step / 2) * ids.random());
}

interface Backoff {
  readonly attempt: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly ids: Ids;
}
