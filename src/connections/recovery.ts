import { backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';

/**
 * Decides when a broken server may be tried again. Two counts: restarts after a crash
 * (at most three, with backoff), and failures in a row (a breaker opens on too many).
 *
 * Invariant: with the default limits, a server that never stays up costs at most ten processes
 * in five minutes, however often it is called.
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

  /** Failed starts and early crashes since it last was stable. */
  get failures(): number {
    return this.#failures;
  }

  /** The wait before the next restart, or undefined when there were enough. */
  nextRestart(): number | undefined {
    if (this.#restarts >= this.#limits.restartAttemptsMax) return undefined;
    const wait = backoffMs({
      attempt: this.#restarts,
      baseMs: this.#limits.restartBackoffBaseMs,
      maxMs: this.#limits.restartBackoffMaxMs,
      ids: this.#ids,
    });
    this.#restarts += 1;
    return Math.max(wait, this.refusedMs);
  }

  /**
   * A start failed, or what had started crashed early; `processes` is what the attempt cost.
   * Past the limit the breaker opens, the second time for twice as long.
   */
  failed(processes = 1): void {
    this.#failures += processes;
    const over = this.#failures - this.#limits.breakerFailuresMax;
    if (over < 0) return;
    const openMs = Math.min(this.#limits.breakerOpenMs * 2 ** over, this.#limits.breakerOpenMs * 2);
    this.#openUntil = this.#clock.monotonic() + openMs;
  }

  /** A session ended after this long. Only one that was stable clears the past. */
  lived(ms: number): void {
    if (ms >= this.#limits.stableMs) this.forgive();
  }

  /** A person asked for it: everything may be tried anew. */
  forgive(): void {
    this.#failures = 0;
    this.#openUntil = 0;
    this.#restarts = 0;
  }
}
