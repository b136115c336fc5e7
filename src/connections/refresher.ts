import type { Cancel, Clock } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';

/**
 * Turns a storm of change notices into a steady few refreshes: the first notice refreshes at
 * once, later ones at most once per interval, and none is ever put off for good.
 */
export class Refresher {
  readonly #clock: Clock;
  readonly #minMs: number;
  readonly #refresh: () => Promise<void>;
  #last = -Infinity;
  #timer: Cancel | undefined;
  #running = false;
  #again = false;

  constructor(options: {
    readonly clock: Clock;
    readonly limits: Limits;
    readonly refresh: () => Promise<void>;
  }) {
    this.#clock = options.clock;
    this.#minMs = options.limits.listRefreshMinMs;
    this.#refresh = options.refresh;
  }

  notice(): void {
    if (this.#timer) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    const wait = this.#last + this.#minMs - this.#clock.monotonic();
    if (wait <= 0) this.#run();
    else {
      this.#timer = this.#clock.after(wait, () => {
        this.#timer = undefined;
        this.#run();
      });
    }
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
    this.#again = false;
  }

  #run(): void {
    this.#running = true;
    this.#last = this.#clock.monotonic();
    void this.#refresh().finally(() => {
      this.#running = false;
      if (!this.#again) return;
      this.#again = false;
      this.notice();
    });
  }
}
