import { Cleanup } from '../../base/cleanup.ts';
import type { Clock } from '../../base/clock.ts';
import { ignore } from '../../base/errors.ts';
import type { LegacyHost } from './legacy-host.ts';
import type { Bounds } from './limits.ts';

export class Sessions {
  readonly #hosts = new Map<string, LegacyHost>();
  readonly #clock: Clock;
  readonly #bounds: Bounds;
  readonly #stopSweep: () => void;

  constructor(clock: Clock, bounds: Bounds) {
    this.#clock = clock;
    this.#bounds = bounds;
    this.#stopSweep = clock.every(bounds.sessionSweepMs, () => this.#sweep());
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** Another principal's session, or one of another path, isn't found. */
  find(id: string, principal: string, path: string): LegacyHost | undefined {
    const host = this.#hosts.get(id);
    if (!host || host.principal !== principal || host.path !== path) return undefined;
    host.lastUsed = this.#clock.monotonic();
    return host;
  }

  /** Evicts the longest idle if full; false if none is idle. */
  add(host: LegacyHost): boolean {
    if (this.#hosts.size >= this.#bounds.sessionsMax) {
      const oldest = this.#longestIdle();
      if (!oldest) return false;
      this.end(oldest);
    }
    host.lastUsed = this.#clock.monotonic();
    this.#hosts.set(host.id, host);
    return true;
  }

  end(host: LegacyHost): void {
    if (this.#hosts.get(host.id) === host) this.#hosts.delete(host.id);
    ignore(host.close(), 'what the gateway cannot close is not the next host’s business');
  }

  endOf(principal: string): void {
    for (const host of this.#hosts.values()) if (host.principal === principal) this.end(host);
  }

  async close(): Promise<void> {
    this.#stopSweep();
    await using all = new Cleanup();
    for (const host of this.#hosts.values()) all.defer(() => host.close());
    this.#hosts.clear();
  }

  #longestIdle(): LegacyHost | undefined {
    let oldest: LegacyHost | undefined;
    for (const host of this.#hosts.values()) {
      if (host.isIdle && (!oldest || host.lastUsed < oldest.lastUsed)) oldest = host;
    }
    return oldest;
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const host of this.#hosts.values()) {
      // Idle time starts when the last request or stream ends.
      if (!host.isIdle) host.lastUsed = now;
      else if (now - host.lastUsed > this.#bounds.sessionIdleMs) this.end(host);
    }
  }
}
