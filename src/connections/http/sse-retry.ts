import type { ReconnectionScheduler, StreamableHTTPReconnectionOptions } from '@modelcontextprotocol/client';
import { backoffMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';

/** How the SDK counts; when the next attempt really comes is decided by the scheduler below. */
export function reconnectionOptions(limits: Limits): StreamableHTTPReconnectionOptions {
  return {
    initialReconnectionDelay: limits.streamRetryMinMs,
    maxReconnectionDelay: limits.streamRetryMaxMs,
    reconnectionDelayGrowFactor: 2,
    maxRetries: limits.streamRetriesMax,
  };
}

/**
 * Reopens event streams no sooner than after a second and no later than after a minute, whatever
 * the server's `retry:` says. A server that closes each stream at once is met with growing
 * patience: the SDK would count every orderly end as a fresh start and knock once a second.
 */
export function clampedScheduler(options: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}): ReconnectionScheduler {
  const { clock, ids, limits } = options;
  const { streamRetryMinMs: minMs, streamRetryMaxMs: maxMs } = limits;
  let lastAt = Number.NEGATIVE_INFINITY;
  let quick = 0;
  return (reconnect, askedMs) => {
    const now = clock.monotonic();
    quick = now - lastAt < limits.stableMs + maxMs ? quick + 1 : 0;
    const patienceMs = quick === 0 ? 0 : backoffMs({ attempt: quick, baseMs: minMs, maxMs, ids });
    const jitterMs = ids.random() * (minMs / 4);
    const waitMs = Math.min(maxMs, Math.max(minMs, askedMs, patienceMs) + jitterMs);
    lastAt = now + waitMs;
    return clock.after(waitMs, reconnect);
  };
}
