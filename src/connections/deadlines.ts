import type { Cancel, Clock } from '../base/clock.ts';

/** Node fires a longer timer at once; ours fires early instead and is set again. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Many deadlines on one timer, which stays set when one is deleted: most requests end long before theirs. */
export class Deadlines<K> {
  readonly #clock: Clock;
  readonly #onDue: (key: K) => void;
  readonly #due = new Map<K, number>();
  #ringsAt = Infinity;
  #cancelTimer: Cancel | undefined;

  constructor(options: { readonly clock: Clock; readonly onDue: (key: K) => void }) {
    this.#clock = options.clock;
    this.#onDue = options.onDue;
  }

  set(key: K, ms: number, now: number): void {
    const moment = now + ms;
    this.#due.set(key, moment);
    if (moment < this.#ringsAt) this.#ringAt(moment, now);
  }

  delete(key: K): void {
    this.#due.delete(key);
  }

  clear(): void {
    this.#due.clear();
    this.#cancelTimer?.();
    this.#ringsAt = Infinity;
  }

  #ringAt(moment: number, now: number): void {
    this.#cancelTimer?.();
    this.#ringsAt = moment;
    // Timers count whole milliseconds and would ring too early for a part of one.
    const ms = Math.min(Math.ceil(moment - now), TIMER_MS_MAX);
    this.#cancelTimer = this.#clock.after(ms, () => this.#ring());
  }

  #ring(): void {
    const now = this.#clock.monotonic();
    this.#ringsAt = Infinity;
    const due: K[] = [];
    let next = Infinity;
    for (const [key, moment] of this.#due) {
      if (moment <= now) due.push(key);
      else next = Math.min(next, moment);
    }
    for (const key of due) this.#due.delete(key);
    if (next !== Infinity) this.#ringAt(next, now);
    for (const key of due) this.#onDue(key);
  }
}
