import { hash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { secretBytes } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { TEAM_ROLES, type TeamRole } from '../hub/principal.ts';
import { createAuth, KEY_PREFIX, prepareTables, type Auth, type AuthOptions } from './auth.ts';
import { teamLimits } from './limits.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: TeamRole;
}

/** A person, and the key of the host that speaks for them. */
export interface Known {
  readonly person: Person;
  readonly key?: { readonly id: string; readonly name: string };
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface MemberRow {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
}

export interface PeopleOptions extends AuthOptions {
  readonly clock: Clock;
  /** After a change of who may do what; with the id of somebody who was removed. */
  readonly onChange: (removed?: string) => void;
}

/** The people of the one team of a hub. Everything that is a secret is the library's to keep and check. */
export class People {
  readonly #auth: Auth;
  readonly #clock: Clock;
  readonly #onChange: (removed?: string) => void;
  readonly #known = new Map<string, { readonly known: Promise<Known | undefined>; readonly until: number }>();

  private constructor(auth: Auth, { clock, onChange }: PeopleOptions) {
    this.#auth = auth;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  static async open(options: PeopleOptions): Promise<People> {
    await prepareTables(options);
    return new People(createAuth(options), options);
  }

  /** Somebody was changed, perhaps by another replica: all are looked up again. */
  forget(): void {
    this.#known.clear();
  }

  /** For the few of the library's addresses that browsers use. */
  handle(request: Request): Promise<Response> {
    return this.#auth.handler(request);
  }

  async team(): Promise<{ readonly id: string } | undefined> {
    const { adapter } = await this.#auth.$context;
    const found = await adapter.findOne<{ id: string }>({ model: 'organization', where: [SLUG] });
    return found ? { id: found.id } : undefined;
  }

  /** Opens the set-up once; a later link makes the earlier ones useless only when it was used. */
  setUpToken(): Promise<string> {
    return this.#oneUse('set-up', {}, teamLimits.setUpLinkMs);
  }

  /** Makes the team and its owner; the token is good once, whatever comes of it. */
  async setUp(token: string, given: NewPerson): Promise<Person> {
    if (!(await this.#take('set-up', token))) throw usedUp();
    if (await this.team()) throw usedUp();
    const id = await this.#create(given);
    const { api } = this.#auth;
    await api.createOrganization({ body: { name: 'Team', slug: SLUG.value, userId: id } });
    return await this.#personOf(id);
  }

  /** Answers a token for a link; who has it proves the address that it was sent to. */
  invite(email: string, role: TeamRole): Promise<string> {
    return this.#oneUse('join', { email: email.toLowerCase(), role }, teamLimits.invitationMs);
  }

  async join(token: string, given: Omit<NewPerson, 'email'>): Promise<Person> {
    const invited = await this.#take('join', token);
    const team = await this.team();
    const { email, role } = invited ?? {};
    if (!team || typeof email !== 'string' || !isTeamRole(role)) throw usedUp();
    const id = await this.#create({ ...given, email });
    await this.#auth.api.addMember({ body: { userId: id, organizationId: team.id, role } });
    return await this.#personOf(id);
  }

  /** By a session's cookie or a host's key. Remembered for a moment: each look costs several statements. */
  who(header: (name: string) => string | undefined): Promise<Known | undefined> {
    const shown = credentialIn(header);
    if (!shown) return Promise.resolve(undefined);
    const place = hash('sha256', `${shown.kind} ${shown.text}`);
    const now = this.#clock.monotonic();
    const before = this.#known.get(place);
    if (before && before.until > now) return before.known;
    if (this.#known.size >= teamLimits.knownMax) this.#known.clear();
    const known = shown.kind === 'key' ? this.#byKey(shown.text) : this.#bySession(shown.text);
    this.#known.set(place, { known, until: now + teamLimits.knownMs });
    // What failed is looked up again by the next request.
    known.catch(() => this.#known.delete(place));
    return known;
  }

  async list(): Promise<readonly Person[]> {
    const { adapter } = await this.#auth.$context;
    const rows = await adapter.findMany<MemberRow>({ model: 'member', limit: teamLimits.peopleMax });
    return await Promise.all(rows.map(({ userId }) => this.#personOf(userId)));
  }

  async find(id: string): Promise<Person | undefined> {
    return (await this.#memberOf(id)) ? await this.#personOf(id) : undefined;
  }

  async setRole(id: string, role: TeamRole): Promise<Person> {
    const member = await this.#existing(id);
    if (member.role === 'owner' && role !== 'owner') await this.#keepAnOwner();
    const { adapter } = await this.#auth.$context;
    const where = [{ field: 'id', value: member.id }];
    await adapter.update({ model: 'member', where, update: { role } });
    this.#changed();
    return await this.#personOf(id);
  }

  /** Sessions and keys end with the person. */
  async remove(id: string): Promise<void> {
    const member = await this.#existing(id);
    if (member.role === 'owner') await this.#keepAnOwner();
    const { adapter, internalAdapter } = await this.#auth.$context;
    // First of all: without a membership neither session nor key opens anything.
    await adapter.delete({ model: 'member', where: [{ field: 'id', value: member.id }] });
    await adapter.deleteMany({ model: 'apikey', where: [{ field: 'referenceId', value: id }] });
    await internalAdapter.deleteUser(id);
    this.#changed(id);
  }

  /** Shown once. */
  async addKey(
    person: Pick<Person, 'id'>,
    name: string,
  ): Promise<{ readonly id: string; readonly key: string }> {
    if ((await this.keys(person)).length >= teamLimits.keysOfPersonMax) throw tooManyKeys();
    const made = await this.#auth.api.createApiKey({ body: { userId: person.id, name } });
    return { id: made.id, key: made.key };
  }

  async keys({ id }: Pick<Person, 'id'>): Promise<readonly { readonly id: string; readonly name: string }[]> {
    const { adapter } = await this.#auth.$context;
    const where = [{ field: 'referenceId', value: id }];
    const rows = await adapter.findMany<{ id: string; name: string | null }>({ model: 'apikey', where });
    return rows.map((row) => ({ id: row.id, name: row.name ?? '' }));
  }

  /** False for a key that this person does not have. */
  async removeKey({ id }: Pick<Person, 'id'>, key: string): Promise<boolean> {
    const { adapter } = await this.#auth.$context;
    const where = [
      { field: 'id', value: key },
      { field: 'referenceId', value: id },
    ];
    const gone = await adapter.deleteMany({ model: 'apikey', where });
    this.#changed();
    return gone > 0;
  }

  #changed(removed?: string): void {
    this.forget();
    this.#onChange(removed);
  }

  async #bySession(cookie: string): Promise<Known | undefined> {
    const found = await this.#auth.api.getSession({ headers: new Headers({ cookie }) });
    return found ? await this.#knownAs(found.user.id) : undefined;
  }

  async #byKey(key: string): Promise<Known | undefined> {
    const { valid, key: row } = await this.#auth.api.verifyApiKey({ body: { key } });
    if (!valid || !row) return undefined;
    return await this.#knownAs(row.referenceId, { id: row.id, name: row.name ?? '' });
  }

  async #knownAs(id: string, key?: Known['key']): Promise<Known | undefined> {
    const person = await this.find(id);
    return person && { person, ...(key ? { key } : {}) };
  }

  async #create({ name, email, password }: NewPerson): Promise<string> {
    const { user } = await this.#auth.api.signUpEmail({ body: { name, email, password } }).catch(refused);
    const { internalAdapter } = await this.#auth.$context;
    await internalAdapter.updateUser(user.id, { emailVerified: true });
    return user.id;
  }

  async #personOf(id: string): Promise<Person> {
    const { internalAdapter } = await this.#auth.$context;
    const [member, user] = await Promise.all([this.#existing(id), internalAdapter.findUserById(id)]);
    if (!user || !isTeamRole(member.role)) throw noPerson();
    return { id, name: user.name, email: user.email, role: member.role };
  }

  async #memberOf(id: string): Promise<MemberRow | undefined> {
    const { adapter } = await this.#auth.$context;
    const where = [{ field: 'userId', value: id }];
    return (await adapter.findOne<MemberRow>({ model: 'member', where })) ?? undefined;
  }

  async #existing(id: string): Promise<MemberRow> {
    const member = await this.#memberOf(id);
    if (!member) throw noPerson();
    return member;
  }

  async #keepAnOwner(): Promise<void> {
    const { adapter } = await this.#auth.$context;
    const where = [{ field: 'role', value: 'owner' }];
    if ((await adapter.count({ model: 'member', where })) > 1) return;
    throw new PlugError('denied', 'A team keeps at least one owner.', { owner: 'you' });
  }

  /** Only the digest of the token is kept. */
  async #oneUse(purpose: string, value: object, lastsMs: number): Promise<string> {
    const { internalAdapter } = await this.#auth.$context;
    const token = secretBytes(32).toString('base64url');
    await internalAdapter.createVerificationValue({
      identifier: placeOf(purpose, token),
      value: JSON.stringify(value),
      expiresAt: new Date(this.#clock.now() + lastsMs),
    });
    return token;
  }

  /** Of several at once, one gets it. */
  async #take(purpose: string, token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { internalAdapter } = await this.#auth.$context;
    const found = await internalAdapter.consumeVerificationValue(placeOf(purpose, token));
    if (!found || found.expiresAt.getTime() <= this.#clock.now()) return undefined;
    const value: unknown = JSON.parse(found.value);
    return isObject(value) ? value : undefined;
  }
}

const SLUG = { field: 'slug', value: 'team' } as const;

function placeOf(purpose: string, token: string): string {
  return `${purpose}:${hash('sha256', token)}`;
}

export function isTeamRole(value: unknown): value is TeamRole {
  return TEAM_ROLES.some((role) => role === value);
}

function credentialIn(
  header: (name: string) => string | undefined,
): { readonly kind: 'key' | 'session'; readonly text: string } | undefined {
  const key = /^bearer (\S{1,256})$/i.exec(header('authorization') ?? '')?.[1];
  // A key that opens nothing is not made up for by a cookie.
  if (header('authorization') !== undefined) {
    return key?.startsWith(KEY_PREFIX) ? { kind: 'key', text: key } : undefined;
  }
  const cookie = header('cookie');
  return cookie !== undefined && cookie.length <= COOKIE_CHARS_MAX
    ? { kind: 'session', text: cookie }
    : undefined;
}

const COOKIE_CHARS_MAX = 8_192;

function usedUp(): PlugError {
  const remedy = 'Ask an admin of the team for a new link.';
  return new PlugError('not_found', 'This link was used, has run out, or is not complete.', {
    owner: 'you',
    remedy,
  });
}

function noPerson(): PlugError {
  return new PlugError('not_found', 'There is no such person in this team.', { owner: 'you' });
}

function tooManyKeys(): PlugError {
  const remedy = 'Remove one that you no longer use.';
  return new PlugError('too_large', 'You have as many keys as anybody may.', { owner: 'you', remedy });
}

/** What the library says of a form is for the person who filled it in. */
function refused(error: unknown): never {
  const message = error instanceof Error && error.message !== '' ? error.message : 'This was not accepted.';
  throw new PlugError('usage', message, { owner: 'you', cause: error });
}
