import { backoffMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { ignore, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { Fetch } from './capped-fetch.ts';
import { placeOf } from './network-error.ts';

export interface RateLimited {
  readonly waitMs: number;
  /** Counts from 1: how often this request has been refused. */
  readonly attempt: number;
}

export interface RateLimitOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  /** Told before each wait, so that the server's state can say why it is slow. */
  readonly onRateLimited?: ((event: RateLimited) => void) | undefined;
}

/** Waits as long as a busy server asks for, within bounds, and tries again a few times. */
export function withRateLimit(fetch: Fetch, options: RateLimitOptions): Fetch {
  const { clock, limits } = options;
  return async (input, init, hooks) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init, hooks);
      if (!isBusy(response)) return response;
      const waitMs = waitFor(response, attempt, options);
      if (response.body !== null) ignore(response.body.cancel(), 'a refusal has nothing to say');
      if (attempt > limits.rateLimitRetriesMax) throw givenUp(new URL(input), waitMs, attempt);
      options.onRateLimited?.({ waitMs, attempt });
      await clock.sleep(waitMs, init?.signal ?? undefined);
    }
  };
}

/** 503 says “later” only together with a time; alone it is a failure like any other. */
function isBusy(response: Response): boolean {
  return response.status === 429 || (response.status === 503 && response.headers.has('retry-after'));
}

function waitFor(response: Response, attempt: number, options: RateLimitOptions): number {
  const { limits, clock, ids } = options;
  const baseMs = limits.rateLimitBackoffBaseMs;
  const maxMs = limits.rateLimitBackoffMaxMs;
  const asked = retryAfterMs(response.headers.get('retry-after'), clock);
  if (asked !== undefined) return Math.min(maxMs, Math.max(baseMs, asked));
  // The first wait is drawn from [1 s, 2 s]: never less than the base.
  return Math.max(baseMs, backoffMs({ attempt, baseMs, maxMs, ids }));
}

/** Seconds or an HTTP date, RFC 9110 §10.2.3; anything else counts as absent. */
export function retryAfterMs(value: string | null, clock: Clock): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse would also take “1.5” or “-3” for a date.
  const at = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

function givenUp(url: URL, waitMs: number, attempts: number): PlugError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new PlugError('rate_limited', `${placeOf(url)} refused ${attempts} times: too many requests.`, {
    owner: 'server',
    next: `Wait ${seconds} s, then try again.`,
    details: { retryAfterMs: waitMs, attempts },
  });
}
