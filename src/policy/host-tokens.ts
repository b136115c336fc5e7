import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { OwnerId } from '../servers/store.ts';
import type { PolicyStore, StoredHost } from './store.ts';
import { secretBytes } from '../base/ids.ts';

/** A host that may come to the gateway, by its token. */
export interface KnownHost {
  /** As the user calls it: it stands in the audit, whatever the host says of itself. */
  readonly name: string;
  /** The only profile that it reaches. */
  readonly profile?: string;
  /** Only what reads is offered to it, and runs. */
  readonly readOnly: boolean;
  /** What was begun with a token that is revoked meanwhile comes to nothing. */
  readonly isRevoked: boolean;
}

export interface NewHostToken {
  readonly name: string;
  readonly profile?: string;
  readonly readOnly?: boolean;
}

export interface HostTokensOptions {
  readonly store: PolicyStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  /** Runs what need not be waited for. */
  readonly later: (work: () => Promise<void>) => void;
}

class Host implements KnownHost {
  readonly name: string;
  readonly profile?: string;
  readonly readOnly: boolean;
  readonly createdAt: number;
  readonly digest: Buffer;
  lastUsedAt: number | undefined;
  /** What the database knows of it. */
  savedAt: number | undefined;
  isRevoked = false;

  constructor({ name, profile, readOnly, createdAt, digest, lastUsedAt }: StoredHost) {
    this.name = name;
    if (profile !== undefined) this.profile = profile;
    this.readOnly = readOnly ?? false;
    this.createdAt = createdAt;
    this.digest = Buffer.from(digest, 'hex');
    this.lastUsedAt = lastUsedAt;
    this.savedAt = lastUsedAt;
  }

  get stored(): StoredHost {
    const { name, profile, readOnly, createdAt, digest, lastUsedAt } = this;
    return {
      name,
      digest: digest.toString('hex'),
      createdAt,
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      ...(profile === undefined ? {} : { profile }),
      ...(readOnly ? { readOnly } : {}),
    };
  }
}

/**
 * The tokens that open the gateway, one for each host, and nothing beside it. Only digests are kept: a
 * token is shown when it is made, and never again.
 */
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

  /** Whose token it is. The digest finds it, so that the time tells nothing of how far a guess was right. */
  find(token: string): KnownHost | undefined {
    const digest = hash('sha256', token, 'buffer');
    const host = this.#byDigest.get(digest.toString('hex'));
    return host && timingSafeEqual(host.digest, digest) ? host : undefined;
  }

  /** Notes that it was used: every request comes here, so that the database hears of it now and then. */
  used(known: KnownHost): void {
    if (!(known instanceof Host)) return;
    const now = this.#options.clock.now();
    known.lastUsedAt = now;
    if (known.savedAt !== undefined && now - known.savedAt < SAVED_EVERY_MS) return;
    known.savedAt = now;
    this.#options.later(() => this.#save(known));
  }

  /** By name. */
  list(): readonly Omit<StoredHost, 'digest'>[] {
    return [...this.#byName.values()]
      .map((host) => {
        const { digest: _, ...shown } = host.stored;
        return shown;
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The host and its token, which nobody can be told again. Undefined when there is one of this name. */
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
    // Revoked before it was written: it opens nothing.
    if (!host.isRevoked) this.#know(host);
    return token;
  }

  /** Holds from this moment on, for what is under way as well; false when there is none of this name. */
  async revoke(name: string): Promise<boolean> {
    const { store, owner } = this.#options;
    const host = this.#byName.get(name);
    if (host) this.#forget(host);
    const kept = await store.deleteHost(owner, name);
    return host !== undefined || kept;
  }

  /** Told of each host whose token is revoked, at once. */
  onRevoke(listener: (host: KnownHost) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes down when each was used last. */
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

/** Says what it is to whoever finds one, and to what looks for secrets in files. */
const PREFIX = 'plughost_';
const SAVED_EVERY_MS = 60_000;
