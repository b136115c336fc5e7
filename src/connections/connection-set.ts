import type { Cancel } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';
import { isLocal } from '../servers/definition.ts';
import { LocalRoom } from './local-room.ts';
import type { PoolOptions } from './pool.ts';
import type { SharedConnection } from './shared-connection.ts';

/** The connections of a pool: idle ones stop, and local ones are limited. */
export class ConnectionSet {
  readonly #options: PoolOptions;
  readonly #byShare = new Map<string, SharedConnection>();
  /** By server: its connections that are still ending. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #timers: readonly Cancel[];
  readonly room: LocalRoom;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { clock, limits } = options;
    this.room = new LocalRoom({ clock, limits, occupied: () => this.occupied });
    this.#timers = [
      clock.every(Math.min(limits.sweepMs, limits.localIdleMs / 2), () => this.#stopIdle()),
      clock.every(limits.healthCheckMs, () => this.#checkHealth()),
    ];
  }

  get occupied(): readonly SharedConnection[] {
    return this.#all.filter(({ connection }) => connection.occupied);
  }

  get #all(): readonly SharedConnection[] {
    return [...this.#byShare.values()];
  }

  get(share: string): SharedConnection | undefined {
    return this.#byShare.get(share);
  }

  add(shared: SharedConnection): void {
    this.#byShare.set(shared.share, shared);
  }

  /** Without ending it: it comes back under another name. */
  remove({ share }: SharedConnection): void {
    this.#byShare.delete(share);
  }

  ofServer(key: string): readonly SharedConnection[] {
    return this.#all.filter(({ members }) => members.has(key));
  }

  ofHost(host: string): readonly SharedConnection[] {
    return this.#all.filter(({ by }) => by.kind === 'host' && by.host.id === host);
  }

  async release(key: string, reason: string): Promise<void> {
    const leaving = Promise.all(this.ofServer(key).map((shared) => this.#leave(shared, key, reason)));
    const ending = Promise.all([this.#ending.get(key), leaving]);
    this.#ending.set(key, ending);
    await ending;
    if (this.#ending.get(key) === ending) this.#ending.delete(key);
  }

  /** Resolves when nothing of these servers is ending any more. */
  async ended(keys: Iterable<string>): Promise<void> {
    for (const key of keys) await this.#ending.get(key);
  }

  async detach(host: string): Promise<void> {
    const own = this.ofHost(host);
    for (const { share } of own) this.#byShare.delete(share);
    await Promise.all(own.map(({ connection }) => connection.close('Its host has gone.', 'SYSTEM')));
  }

  async close(): Promise<void> {
    for (const cancel of this.#timers) cancel();
    await Promise.all(this.#all.map(({ connection }) => connection.close('The hub stopped.', 'SYSTEM')));
    await Promise.all(this.#ending.values());
  }

  async #leave({ share, members, connection }: SharedConnection, key: string, reason: string): Promise<void> {
    if (members.size > 1) {
      members.delete(key);
      return;
    }
    // The last member stays listed: the event of the end belongs to it.
    this.#byShare.delete(share);
    await connection.close(reason, 'USER');
  }

  #stopIdle(): void {
    const { limits, tasks } = this.#options;
    for (const shared of this.#byShare.values()) {
      const reason = whyIdle(shared, limits);
      if (reason) tasks.run('stop an idle server', () => shared.connection.stop(reason, 'SYSTEM'));
    }
  }

  #checkHealth(): void {
    for (const { connection } of this.#byShare.values()) {
      this.#options.tasks.run('check health', () => connection.checkHealth());
    }
  }
}

function whyIdle(
  { connection, definition: { timeouts, endpoint }, keepAlive }: SharedConnection,
  limits: Limits,
): string | undefined {
  const idleMs = timeouts.idleMs ?? (isLocal(endpoint) ? limits.localIdleMs : limits.remoteIdleMs);
  if (keepAlive || !connection.live || connection.idleMs < idleMs) return undefined;
  return `Idle for ${Math.max(1, Math.round(idleMs / 60_000))} min; starts again on first use.`;
}
