import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Refusal } from './answer.ts';

/** Counts wrong tokens, links and sessions of the current minute together: all are guesses. */
export class BadTokens {
  readonly #clock: Clock;
  #windowStart = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  refuse(refusal: Refusal): Refusal {
    const now = this.#clock.monotonic();
    if (now - this.#windowStart >= 60_000) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= limits.apiBadTokensPerMinuteMax) return refusal;
    return new Refusal(429, 'rate_limited', 'Too many wrong tokens. Wait a minute.', {
      headers: { 'retry-after': '60' },
    });
  }
}
