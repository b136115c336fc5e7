import type { Clock } from '../base/clock.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Trust } from './decision.ts';
import type { PolicyStore } from './store.ts';

export interface TrustBookOptions {
  readonly store: PolicyStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
}

export class TrustBook {
  readonly #options: TrustBookOptions;
  readonly #kept: Map<string, string>;
  readonly #session = new Map<string, string>();

  private constructor(options: TrustBookOptions, kept: Map<string, string>) {
    this.#options = options;
    this.#kept = kept;
  }

  static async load(options: TrustBookOptions): Promise<TrustBook> {
    const rows = await options.store.listServerTrust(options.owner);
    return new TrustBook(options, new Map(rows.map(({ server, fingerprint }) => [server, fingerprint])));
  }

  /** A changed server is another server, and not trusted. */
  trustOf(server: string, fingerprint: string): Trust {
    if (this.#kept.get(server) === fingerprint) return 'kept';
    return this.#session.get(server) === fingerprint ? 'session' : 'none';
  }

  async keep(server: string, fingerprint: string, source: string): Promise<void> {
    const { store, owner, clock } = this.#options;
    await store.putServerTrust(owner, { server, fingerprint, trustedAt: clock.now(), source });
    this.#kept.set(server, fingerprint);
    this.#session.delete(server);
  }

  /** Replaces kept trust. */
  async trustForSession(server: string, fingerprint: string): Promise<void> {
    await this.revoke(server);
    this.#session.set(server, fingerprint);
  }

  /** Takes effect at once; returns whether there was any trust. */
  async revoke(server: string): Promise<boolean> {
    const { store, owner } = this.#options;
    const session = this.#session.delete(server);
    const here = this.#kept.delete(server);
    const kept = await store.deleteServerTrust(owner, server);
    return session || here || kept;
  }
}
