import { backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';

/**
 * Decides when a broken server may be tried again. Two counts: restarts after a crash
 * (at most three, with backoff), and failures in a row (a breaker opens on too many).
 */
export class Recovery {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #limits: Limits;
  #restarts = 0;
  #failures = 0;
  #openUntil = 0;

  constructor(options: { readonly clock: Clock; readonly ids: Ids; readonly limits: Limits }) {
    this.#clock = options.clock;
    this.#ids = options.ids;
    this.#limits = options.limits;
  }

  /** How long the breaker still refuses, or 0 when an attempt may go through. */
  get refusedMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.monotonic());
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** After a crash: the wait before the next restart, or undefined when there were enough. */
  nextRestart(livedMs: number): number | undefined {
    if (livedMs >= this.#limits.stableMs) this.#restarts = 0;
    if (this.#restarts >= this.#limits.restartAttemptsMax) return undefined;
    const wait = backoffMs({
      attempt: this.#restarts,
      baseMs: this.#limits.restartBackoffBaseMs,
      maxMs: this.#limits.restartBackoffMaxMs,
      ids: this.#ids,
    });
    this.#restarts += 1;
    return wait;
  }

  /** A start failed. Past the limit the breaker opens, the second time for twice as long. */
  failed(): void {
    this.#failures += 1;
    const over = this.#failures - this.#limits.breakerFailuresMax;
    if (over < 0) return;
    const openMs = Math.min(this.#limits.breakerOpenMs * 2 ** over, this.#limits.breakerOpenMs * 2);
    this.#openUntil = this.#clock.monotonic() + openMs;
  }

  /** A start worked. Restarts are forgotten only after a stable time: see nextRestart. */
  worked(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  /** A person asked for it: everything may be tried anew. */
  forgive(): void {
    this.worked();
    this.#restarts = 0;
  }
}
