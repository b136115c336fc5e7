import type { Clock } from '../base/clock.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Trust } from './decision.ts';
import type { PolicyStore } from './store.ts';

export interface TrustBookOptions {
  readonly store: PolicyStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
}

/** Which servers are trusted, exactly as they were when somebody said so. */
export class TrustBook {
  readonly #options: TrustBookOptions;
  /** Key of the server → its fingerprint when it was trusted. */
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

  /** A server that runs or contacts something else now is another server, and nobody trusts it. */
  trustOf(server: string, fingerprint: string): Trust {
    if (this.#kept.get(server) === fingerprint) return 'kept';
    return this.#session.get(server) === fingerprint ? 'session' : 'none';
  }

  /** Until it is taken back. */
  async keep(server: string, fingerprint: string, source: string): Promise<void> {
    const { store, owner, clock } = this.#options;
    await store.putServerTrust(owner, { server, fingerprint, trustedAt: clock.now(), source });
    this.#kept.set(server, fingerprint);
    this.#session.delete(server);
  }

  /** Until the hub stops. The last word counts: what was kept before is not kept any more. */
  async trustForSession(server: string, fingerprint: string): Promise<void> {
    await this.revoke(server);
    this.#session.set(server, fingerprint);
  }

  /** Holds from this moment on; answers whether there was any trust. */
  async revoke(server: string): Promise<boolean> {
    const { store, owner } = this.#options;
    const session = this.#session.delete(server);
    const here = this.#kept.delete(server);
    const kept = await store.deleteServerTrust(owner, server);
    return session || here || kept;
  }
}
