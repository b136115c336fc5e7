import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { Refusal } from './answer.ts';

/** Counts wrong tokens, links and sessions within the current minute: all of them are guesses at one door. */
export class BadTokens {
  readonly #clock: Clock;
  #windowStart = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to answer to one more: the refusal that was meant, or that there were too many. */
  refuse(refusal: Refusal): Refusal {
    if (!this.#tooMany()) return refusal;
    return new Refusal(429, 'rate_limited', 'Too many wrong tokens. Wait a minute.', {
      headers: { 'retry-after': '60' },
    });
  }

  #tooMany(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#windowStart >= 60_000) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > limits.apiBadTokensPerMinuteMax;
  }
}
