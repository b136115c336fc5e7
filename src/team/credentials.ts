import { hash } from 'node:crypto';
import { defaultKeyHasher } from '@better-auth/api-key';
import { backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import type { TeamDatabase } from '../storage/postgres/team.ts';
import { KEY_PREFIX } from './auth.ts';
import { teamLimits } from './limits.ts';
import { ACCESS_TOKEN_PREFIX, resourcesAt } from './oauth/authorization-server.ts';
import { digestOf } from './oauth/digest.ts';
import type { People, Person } from './people.ts';

/** A person, and the host that speaks for them: by a key of theirs, or as an app that they let in. */
export interface Known {
  readonly person: Person;
  readonly host?: KnownHost;
}

export interface KnownHost {
  readonly id: string;
  readonly name: string;
}

/** An app that somebody let in. */
export interface App {
  readonly id: string;
  readonly name: string;
  readonly since: string;
}

interface CredentialsOptions {
  readonly people: People;
  readonly url: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly trouble: TeamDatabase['trouble'];
}

interface TokenRow {
  readonly clientId: string;
  readonly userId?: string | null;
  readonly expiresAt: Date;
  readonly revoked?: Date | null;
  readonly resources?: readonly string[] | null;
}

interface KeyRow {
  readonly id: string;
  readonly name?: string | null;
  readonly referenceId: string;
  readonly enabled?: boolean | null;
  readonly expiresAt?: Date | null;
}

type Header = (name: string) => string | undefined;

/** What people and hosts show to be known: sessions, keys, and tokens of apps. */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #people: People;
  readonly #clock: Clock;
  readonly #resources: readonly string[];
  readonly #known = new Map<string, { readonly known: Promise<Known | undefined>; readonly until: number }>();
  readonly #revoked = new Set<(host: string) => void>();

  constructor(options: CredentialsOptions) {
    const { people, url, clock } = options;
    this.#options = options;
    this.#people = people;
    this.#clock = clock;
    this.#resources = resourcesAt(url);
    people.onChange(() => this.forget());
  }

  /** Somebody was changed, perhaps by another replica: all are looked up again. */
  forget(): void {
    this.#known.clear();
  }

  /** By a session's cookie, or a host's key or token. Remembered for a moment: each look costs statements. */
  who(header: Header): Promise<Known | undefined> {
    const shown = shownIn(header);
    if (!shown) return Promise.resolve(undefined);
    const place = hash('sha256', `${shown.kind} ${shown.text}`);
    const now = this.#clock.monotonic();
    const before = this.#known.get(place);
    if (before && before.until > now) return before.known;
    if (this.#known.size >= teamLimits.knownMax) this.#known.clear();
    const known = this.#findInTime(shown);
    this.#known.set(place, { known, until: now + teamLimits.knownMs });
    // What failed is looked up again by the next request.
    known.catch(() => this.#known.delete(place));
    return known;
  }

  /** Told the id of a host whose key or consent has ended. */
  onRevoke(tell: (host: string) => void): () => void {
    this.#revoked.add(tell);
    return () => this.#revoked.delete(tell);
  }

  /** Shown once. */
  async addKey(person: Pick<Person, 'id'>, name: string): Promise<{ id: string; key: string }> {
    if ((await this.keys(person)).length >= teamLimits.keysOfPersonMax) throw tooManyKeys();
    const made = await this.#people.auth.api.createApiKey({ body: { userId: person.id, name } });
    return { id: made.id, key: made.key };
  }

  async keys({ id }: Pick<Person, 'id'>): Promise<readonly KnownHost[]> {
    const { adapter } = await this.#people.auth.$context;
    const where = [{ field: 'referenceId', value: id }];
    const rows = await adapter.findMany<{ id: string; name: string | null }>({ model: 'apikey', where });
    return rows.map((row) => ({ id: row.id, name: row.name ?? '' }));
  }

  /** False for a key that this person does not have. */
  async removeKey({ id }: Pick<Person, 'id'>, key: string): Promise<boolean> {
    const { adapter } = await this.#people.auth.$context;
    const where = [
      { field: 'id', value: key },
      { field: 'referenceId', value: id },
    ];
    const gone = await adapter.deleteMany({ model: 'apikey', where });
    if (gone > 0) this.#ended(key);
    return gone > 0;
  }

  async apps({ id }: Pick<Person, 'id'>): Promise<readonly App[]> {
    const { adapter } = await this.#people.auth.$context;
    const where = [{ field: 'userId', value: id }];
    const rows = await adapter.findMany<{ clientId: string; createdAt: Date }>({
      model: 'oauthConsent',
      where,
    });
    return await Promise.all(
      rows.map(async ({ clientId, createdAt }) => ({
        id: clientId,
        name: await this.#nameOf(clientId),
        since: createdAt.toISOString(),
      })),
    );
  }

  /** False for an app that this person has not let in. What it holds opens nothing any more. */
  async removeApp({ id }: Pick<Person, 'id'>, app: string): Promise<boolean> {
    const { adapter } = await this.#people.auth.$context;
    const where = [
      { field: 'clientId', value: app },
      { field: 'userId', value: id },
    ];
    const gone = await adapter.deleteMany({ model: 'oauthConsent', where });
    for (const model of ['oauthAccessToken', 'oauthRefreshToken']) await adapter.deleteMany({ model, where });
    if (gone > 0) this.#ended(app);
    return gone > 0;
  }

  #ended(host: string): void {
    // Other replicas hear of it, too.
    this.#people.changed();
    for (const tell of this.#revoked) tell(host);
  }

  /** The library answers “unknown” where it couldn't look: then it is asked again, until the database is back. */
  async #findInTime(shown: Shown): Promise<Known | undefined> {
    const { trouble, clock, ids } = this.#options;
    const deadline = clock.monotonic() + limits.postgresRetryTotalMs;
    for (let attempt = 0; ; attempt += 1) {
      const { faults } = trouble;
      const [found] = await Promise.allSettled([this.#find(shown)]);
      if (found.status === 'fulfilled' && (found.value || trouble.faults === faults)) return found.value;
      if (found.status === 'rejected' && trouble.faults === faults) throw found.reason;
      if (clock.monotonic() > deadline) throw databaseAway();
      const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
      await clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }));
    }
  }

  #find({ kind, text }: Shown): Promise<Known | undefined> {
    if (kind === 'session') return this.#bySession(text);
    return kind === 'key' ? this.#byKey(text) : this.#byToken(text);
  }

  async #bySession(cookie: string): Promise<Known | undefined> {
    const found = await this.#people.auth.api.getSession({ headers: new Headers({ cookie }) });
    return found ? await this.#knownAs(found.user.id) : undefined;
  }

  /** By the digest that the library stores. Its own look writes twice: that is too much for one every two seconds. */
  async #byKey(key: string): Promise<Known | undefined> {
    const { adapter } = await this.#people.auth.$context;
    const where = [{ field: 'key', value: await defaultKeyHasher(key) }];
    const row = await adapter.findOne<KeyRow>({ model: 'apikey', where });
    if (row?.enabled !== true || (row.expiresAt && row.expiresAt.getTime() <= this.#clock.now()))
      return undefined;
    return await this.#knownAs(row.referenceId, { id: row.id, name: row.name ?? '' });
  }

  /** For our gateway and no other resource, of a client that still is one. */
  async #byToken(token: string): Promise<Known | undefined> {
    const { adapter } = await this.#people.auth.$context;
    const value = digestOf(token.slice(ACCESS_TOKEN_PREFIX.length));
    const where = [{ field: 'token', value }];
    const row = await adapter.findOne<TokenRow>({ model: 'oauthAccessToken', where });
    if (!row?.userId || row.revoked || row.expiresAt.getTime() <= this.#clock.now()) return undefined;
    if (!row.resources?.some((resource) => this.#resources.includes(resource))) return undefined;
    const client = await this.#clientOf(row.clientId);
    if (!client || client.disabled) return undefined;
    return await this.#knownAs(row.userId, { id: row.clientId, name: client.name ?? row.clientId });
  }

  async #knownAs(id: string, host?: KnownHost): Promise<Known | undefined> {
    const person = await this.#people.find(id);
    if (!person?.active) return undefined;
    return { person, ...(host ? { host } : {}) };
  }

  async #nameOf(clientId: string): Promise<string> {
    return (await this.#clientOf(clientId))?.name ?? clientId;
  }

  async #clientOf(clientId: string): Promise<{ name?: string | null; disabled?: boolean } | undefined> {
    const { adapter } = await this.#people.auth.$context;
    const where = [{ field: 'clientId', value: clientId }];
    return (await adapter.findOne<{ name?: string }>({ model: 'oauthClient', where })) ?? undefined;
  }
}

interface Shown {
  readonly kind: 'session' | 'key' | 'token';
  readonly text: string;
}

function shownIn(header: Header): Shown | undefined {
  const sent = header('authorization');
  // A key that opens nothing is not made up for by a cookie.
  if (sent !== undefined) {
    const text = /^bearer (\S{1,256})$/i.exec(sent)?.[1] ?? '';
    if (text.startsWith(KEY_PREFIX)) return { kind: 'key', text };
    return text.startsWith(ACCESS_TOKEN_PREFIX) ? { kind: 'token', text } : undefined;
  }
  const cookie = header('cookie');
  if (cookie === undefined || cookie.length > COOKIE_CHARS_MAX) return undefined;
  return { kind: 'session', text: cookie };
}

const COOKIE_CHARS_MAX = 8_192;

function databaseAway(): PlugError {
  const message = 'The database of this team cannot be reached.';
  return new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } });
}

function tooManyKeys(): PlugError {
  const remedy = 'Remove one that you no longer use.';
  return new PlugError('too_large', 'You have as many keys as anybody may.', { owner: 'you', remedy });
}
