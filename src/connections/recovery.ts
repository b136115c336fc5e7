import { backoffMs } from '../base/backoff.ts';
import type { Runtime } from './limits.ts';

/**
 * Invariant: with the default limits, a server that never stays up costs at most ten processes
 * in five minutes, however often it is called.
 */
export class Recovery {
  readonly #options: Runtime;
  restarts = 0;
  failures = 0;
  #openUntil = 0;

  constructor(options: Runtime) {
    this.#options = options;
  }

  /** How long the breaker still refuses, or 0 when an attempt may go through. */
  get refusedMs(): number {
    return Math.max(0, this.#openUntil - this.#options.clock.monotonic());
  }

  /** The wait before the next restart, or undefined when there were enough. */
  nextRestart(): number | undefined {
    const { limits, ids } = this.#options;
    if (this.restarts >= limits.restartAttemptsMax) return undefined;
    const { restartBackoffBaseMs: baseMs, restartBackoffMaxMs: maxMs } = limits;
    const wait = backoffMs({ attempt: this.restarts, baseMs, maxMs, ids });
    this.restarts += 1;
    return Math.max(wait, this.refusedMs);
  }

  /** A failed start or early crash. Past the limit the breaker opens, the second time for twice as long. */
  failed(processes = 1): void {
    const { clock, limits } = this.#options;
    this.failures += processes;
    const over = this.failures - limits.breakerFailuresMax;
    if (over < 0) return;
    this.#openUntil =
      clock.monotonic() + Math.min(limits.breakerOpenMs * 2 ** over, limits.breakerOpenMs * 2);
  }

  /** Only a session that was stable clears the past. */
  lived(ms: number): void {
    if (ms >= this.#options.limits.stableMs) this.forgive();
  }

  forgive(): void {
    this.failures = 0;
    this.#openUntil = 0;
    this.restarts = 0;
  }
}
