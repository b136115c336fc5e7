import { defined } from '../base/defined.ts';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { OwnerId } from '../servers/store.ts';
import type { PolicyStore, StoredHost } from './store.ts';
import { secretBytes } from '../base/ids.ts';

export interface KnownHost {
  /** As the user calls it; used in the audit. */
  readonly name: string;
  readonly profile?: string;
  readonly readOnly: boolean;
  /** Never both. */
  readonly opens: 'gateway' | 'api';
  /** Work begun with a revoked token comes to nothing. */
  readonly isRevoked: boolean;
}

export type NewHostToken = Pick<StoredHost, 'name' | 'profile' | 'readOnly' | 'opens'>;

export interface HostTokensOptions {
  readonly store: PolicyStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly later: (work: () => Promise<void>) => void;
}

class Host implements KnownHost {
  readonly name: string;
  readonly profile?: string;
  readonly readOnly: boolean;
  readonly opens: 'gateway' | 'api';
  readonly createdAt: number;
  readonly digest: Buffer;
  lastUsedAt: number | undefined;
  savedAt: number | undefined;
  isRevoked = false;

  constructor({ name, profile, readOnly, opens, createdAt, digest, lastUsedAt }: StoredHost) {
    this.name = name;
    if (profile !== undefined) this.profile = profile;
    this.readOnly = readOnly ?? false;
    this.opens = opens ?? 'gateway';
    this.createdAt = createdAt;
    this.digest = Buffer.from(digest, 'hex');
    this.lastUsedAt = lastUsedAt;
    this.savedAt = lastUsedAt;
  }

  get stored(): StoredHost {
    const { name, profile, createdAt, lastUsedAt } = this;
    const readOnly = this.readOnly || undefined;
    const opens = this.opens === 'api' ? this.opens : undefined;
    const digest = this.digest.toString('hex');
    return { name, digest, createdAt, ...defined({ lastUsedAt, profile, readOnly, opens }) };
  }
}

/** One token per host, for the gateway only, or for the API only. Only digests are kept. */
export class HostTokens {
  readonly #options: HostTokensOptions;
  readonly #byName = new Map<string, Host>();
  readonly #byDigest = new Map<string, Host>();
  readonly #listeners = new Set<(host: KnownHost) => void>();

  private constructor(options: HostTokensOptions, stored: readonly StoredHost[]) {
    this.#options = options;
    for (const host of stored) this.#know(new Host(host));
  }

  static async load(options: HostTokensOptions): Promise<HostTokens> {
    return new HostTokens(options, await options.store.listHosts(options.owner));
  }

  /** Looked up by digest, so that timing tells nothing about a guess. */
  find(token: string): KnownHost | undefined {
    const digest = hash('sha256', token, 'buffer');
    const host = this.#byDigest.get(digest.toString('hex'));
    return host && timingSafeEqual(host.digest, digest) ? host : undefined;
  }

  /** Called on every request; writes to the database only now and then. */
  used(known: KnownHost): void {
    if (!(known instanceof Host)) return;
    const now = this.#options.clock.now();
    known.lastUsedAt = now;
    if (known.savedAt !== undefined && now - known.savedAt < SAVED_EVERY_MS) return;
    known.savedAt = now;
    this.#options.later(() => this.#save(known));
  }

  list(): readonly Omit<StoredHost, 'digest'>[] {
    return [...this.#byName.values()]
      .map((host) => {
        const { digest: _, ...shown } = host.stored;
        return shown;
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The token, shown only once. Undefined when the name is taken. */
  async add(given: NewHostToken): Promise<string | undefined> {
    if (this.#byName.has(given.name)) return undefined;
    const { store, owner, clock } = this.#options;
    const token = PREFIX + secretBytes(32).toString('base64url');
    const host = new Host({ ...given, digest: hash('sha256', token, 'hex'), createdAt: clock.now() });
    this.#byName.set(host.name, host);
    try {
      await store.putHost(owner, host.stored);
    } catch (error) {
      this.#byName.delete(host.name);
      throw error;
    }
    // Revoked before it was written.
    if (!host.isRevoked) this.#know(host);
    return token;
  }

  /** A host whose revocation is undone: its token opens the gateway again. */
  async putBack(stored: StoredHost): Promise<void> {
    const { store, owner } = this.#options;
    await store.putHost(owner, stored);
    this.#know(new Host(stored));
  }

  /** Takes effect at once, also for calls in progress; false for an unknown name. */
  async revoke(name: string): Promise<boolean> {
    const { store, owner } = this.#options;
    const host = this.#byName.get(name);
    if (host) this.#forget(host);
    const kept = await store.deleteHost(owner, name);
    return host !== undefined || kept;
  }

  onRevoke(listener: (host: KnownHost) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    for (const host of this.#byName.values()) {
      if (host.lastUsedAt !== host.savedAt) await this.#save(host);
    }
  }

  #know(host: Host): void {
    this.#byName.set(host.name, host);
    this.#byDigest.set(host.digest.toString('hex'), host);
  }

  #forget(host: Host): void {
    host.isRevoked = true;
    if (this.#byName.get(host.name) === host) this.#byName.delete(host.name);
    this.#byDigest.delete(host.digest.toString('hex'));
    for (const tell of this.#listeners) tell(host);
  }

  /** Another hub on the same database may have revoked it. */
  async #save(host: Host): Promise<void> {
    const { store, owner } = this.#options;
    const at = host.lastUsedAt;
    if (host.isRevoked || at === undefined) return;
    host.savedAt = at;
    if (!(await store.noteHostUse(owner, host.stored, at)) && !host.isRevoked) this.#forget(host);
  }
}

/** Recognizable to people and secret scanners. */
const PREFIX = 'plughost_';
const SAVED_EVERY_MS = 60_000;
