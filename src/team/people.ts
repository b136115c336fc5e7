import { hash } from 'node:crypto';
import { PlugError } from '../base/errors.ts';
import { secretBytes } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { TEAM_ROLES, type TeamRole } from '../hub/principal.ts';
import { createAuth, prepareTables, type Admission, type Auth, type AuthOptions } from './auth.ts';
import type { ProviderTokens } from './identity/identities.ts';
import { teamLimits } from './limits.ts';
import * as membership from './membership.ts';
import { isActive, type MemberRow, noPerson, type Rows } from './membership.ts';
import { isOfDomain } from './single-sign-on.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: TeamRole;
  /** False when an admin has deactivated them: nothing of theirs opens anything. */
  readonly active: boolean;
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The people of the one team of a hub. Everything that is a secret is the library's to keep and check. */
export class People implements Admission {
  /** The library, for those parts of the team that keep their rows in it. */
  readonly auth: Auth;
  readonly #options: Omit<AuthOptions, 'admission'>;
  readonly #changed: ((gone?: string) => void)[] = [];
  #identified: ((userId: string, tokens: ProviderTokens) => Promise<void>) | undefined;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(options: Omit<AuthOptions, 'admission'>) {
    this.#options = options;
    this.auth = createAuth({ ...options, admission: this });
  }

  static async open(options: Omit<AuthOptions, 'admission'>): Promise<People> {
    await prepareTables({ ...options, admission: NOBODY });
    return new People(options);
  }

  /** Told whenever somebody has got or lost something; with the id of who was removed or deactivated. */
  onChange(tell: (gone?: string) => void): void {
    this.#changed.push(tell);
  }

  changed(gone?: string): void {
    for (const tell of this.#changed) tell(gone);
  }

  now(): Date {
    return new Date(this.#options.clock.now());
  }

  async team(): Promise<{ readonly id: string } | undefined> {
    const { adapter } = await this.auth.$context;
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
    const id = await this.#signUp(given);
    const { api } = this.auth;
    await api.createOrganization({ body: { name: 'Team', slug: SLUG.value, userId: id } });
    return await this.#personOf(id);
  }

  /** Answers a token for a link; who has it proves the address that it was sent to. */
  async invite(email: string, role: TeamRole): Promise<string> {
    const { adapter } = await this.auth.$context;
    const address = email.toLowerCase();
    const expiresAt = new Date(this.#options.clock.now() + teamLimits.invitationMs);
    await adapter.deleteMany({ model: 'invited', where: [{ field: 'email', value: address }] });
    await adapter.create({ model: 'invited', data: { email: address, role, expiresAt } });
    return await this.#oneUse('join', { email: address, role }, teamLimits.invitationMs);
  }

  async join(token: string, given: Omit<NewPerson, 'email'>): Promise<Person> {
    const invited = await this.#take('join', token);
    const { email, role } = invited ?? {};
    if (typeof email !== 'string' || !isTeamRole(role)) throw usedUp();
    const id = await this.#signUp({ ...given, email });
    await this.add(id, role);
    await this.#takeInvitation(email);
    return await this.#personOf(id);
  }

  /** Answers a token for a link that sets somebody's password once; an earlier one opens nothing any more. */
  async passwordLink(id: string): Promise<string> {
    const rows = await this.rows();
    const member = await membership.existing(rows, id);
    if (!isActive(member)) throw notActive();
    // Where people sign in elsewhere, a password would be a way around it.
    if (this.#options.singleSignOn && !(await passwordOf(rows, id))) throw noPassword();
    await membership.endLinks(rows, id, RESET);
    return await this.#oneUse(RESET, { userId: id }, teamLimits.passwordLinkMs);
  }

  /** Sessions end: whoever knew the old password is out. Keys and apps stay. */
  async resetPassword(token: string, password: string): Promise<void> {
    const { passwordCharsMin: min, passwordCharsMax: max } = teamLimits;
    if (password.length < min || password.length > max) throw badPassword();
    const { userId: id } = (await this.#take(RESET, token)) ?? {};
    const { password: hashing } = await this.auth.$context;
    if (typeof id !== 'string') throw usedUp();
    const hashed = await hashing.hash(password);
    await this.together(async (rows) => {
      const member = await membership.memberIn(rows, id);
      if (!member || !isActive(member)) throw usedUp();
      await setPassword(rows, id, hashed, this.now());
      await rows.deleteMany({ model: 'session', where: [{ field: 'userId', value: id }] });
      await membership.endLinks(rows, id, RESET);
    });
    this.changed();
  }

  async add(id: string, role: TeamRole): Promise<void> {
    const team = await this.team();
    if (!team) throw usedUp();
    await this.auth.api.addMember({ body: { userId: id, organizationId: team.id, role } });
    this.changed();
  }

  async mayEnter(id: string): Promise<boolean> {
    const member = await membership.memberIn(await this.rows(), id);
    return member !== undefined && isActive(member);
  }

  /** Of many at once: it is asked all the time. */
  async absentOf(ids: readonly string[]): Promise<readonly string[]> {
    return membership.absentIn(await this.rows(), ids);
  }

  async mayJoin({ email, emailVerified }: { email: string; emailVerified: boolean }): Promise<boolean> {
    const { singleSignOn } = this.#options;
    if (!singleSignOn || !(emailVerified || singleSignOn.trustsEmail)) return false;
    return isOfDomain(singleSignOn, email) || (await this.#invitedAs(email)) !== undefined;
  }

  /** Told what the identity provider gave somebody who signs in. */
  onIdentified(tell: (userId: string, tokens: ProviderTokens) => Promise<void>): void {
    this.#identified = tell;
  }

  async identified(userId: string, tokens: ProviderTokens): Promise<void> {
    await this.#identified?.(userId, tokens);
  }

  async joined(id: string): Promise<void> {
    if (await membership.memberIn(await this.rows(), id)) return;
    const { internalAdapter } = await this.auth.$context;
    const user = await internalAdapter.findUserById(id);
    if (!user || !(await this.mayJoin(user))) return;
    const role = (await this.#invitedAs(user.email)) ?? 'member';
    await this.#takeInvitation(user.email);
    await this.add(id, role);
  }

  async list(): Promise<readonly Person[]> {
    const rows = await this.rows();
    const members = await rows.findMany<MemberRow>({ model: 'member', limit: teamLimits.peopleMax });
    const users = await rows.findMany<{ readonly id: string; readonly name: string; readonly email: string }>(
      {
        model: 'user',
        limit: teamLimits.peopleMax,
      },
    );
    const byId = new Map(users.map((user) => [user.id, user]));
    return members.flatMap((member) => {
      const { userId: id, role } = member;
      const user = byId.get(id);
      // Somebody may have been removed meanwhile.
      if (!user || !isTeamRole(role)) return [];
      return { id, name: user.name, email: user.email, role, active: isActive(member) };
    });
  }

  async former(): Promise<readonly membership.FormerPerson[]> {
    return membership.formerIn(await this.rows());
  }

  async find(id: string): Promise<Person | undefined> {
    const member = await membership.memberIn(await this.rows(), id);
    return member && (await this.#personWith(member));
  }

  async setRole(id: string, role: TeamRole): Promise<Person> {
    await this.together(async (rows) => membership.setRole(rows, await membership.existing(rows, id), role));
    this.changed();
    return await this.#personOf(id);
  }

  /** Who is deactivated loses sessions, keys and tokens for good; their rows stay. */
  async setActive(id: string, active: boolean): Promise<void> {
    await this.together(async (rows) =>
      membership.setActive(rows, await membership.existing(rows, id), active),
    );
    this.changed(id);
  }

  /** Sessions, keys and tokens end with the person. */
  async remove(id: string): Promise<void> {
    await this.together(async (rows) =>
      membership.remove(rows, await membership.existing(rows, id), this.now()),
    );
    this.changed(id);
  }

  /**
   * Changes who is in the team, and in which groups, one at a time on all replicas: else two owners who
   * deactivate each other leave a team without one. All or nothing of it counts.
   */
  together<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    // One connection of this process at a time waits for the row.
    const next = this.#changing.then(async () => {
      const { adapter } = await this.auth.$context;
      return await adapter.transaction(async (rows) => {
        await rows.update({ model: 'organization', where: [SLUG], update: { slug: SLUG.value } });
        return await work(rows);
      });
    });
    // Who waits in line waits for its end, whatever that is.
    this.#changing = Promise.allSettled([next]);
    return next;
  }

  async rows(): Promise<Rows> {
    return (await this.auth.$context).adapter;
  }

  async #signUp({ name, email, password }: NewPerson): Promise<string> {
    const { user } = await this.auth.api.signUpEmail({ body: { name, email, password } }).catch(refused);
    const { internalAdapter } = await this.auth.$context;
    // The library answers like this for an address that is taken, so that nobody learns of it.
    const made = await internalAdapter.findUserByEmail(email.toLowerCase());
    if (made?.user.id !== user.id) throw taken();
    await internalAdapter.updateUser(user.id, { emailVerified: true });
    return user.id;
  }

  async #personOf(id: string): Promise<Person> {
    return await this.#personWith(await membership.existing(await this.rows(), id));
  }

  async #personWith(member: membership.MemberRow): Promise<Person> {
    const { internalAdapter } = await this.auth.$context;
    const id = member.userId;
    const user = await internalAdapter.findUserById(id);
    if (!user || !isTeamRole(member.role)) throw noPerson();
    return { id, name: user.name, email: user.email, role: member.role, active: isActive(member) };
  }

  async #invitedAs(email: string): Promise<TeamRole | undefined> {
    const { adapter } = await this.auth.$context;
    const found = await adapter.findOne<{ readonly role: string; readonly expiresAt: Date }>({
      model: 'invited',
      where: [{ field: 'email', value: email.toLowerCase() }],
    });
    const isOpen = found && found.expiresAt.getTime() > this.#options.clock.now();
    return isOpen && isTeamRole(found.role) ? found.role : undefined;
  }

  async #takeInvitation(email: string): Promise<void> {
    const { adapter } = await this.auth.$context;
    const where = [{ field: 'email', value: email.toLowerCase() }];
    await adapter.deleteMany({ model: 'invited', where });
  }

  /** Only the digest of the token is kept. */
  async #oneUse(purpose: string, value: object, lastsMs: number): Promise<string> {
    const { internalAdapter } = await this.auth.$context;
    const token = secretBytes(32).toString('base64url');
    await internalAdapter.createVerificationValue({
      identifier: placeOf(purpose, token),
      value: JSON.stringify(value),
      expiresAt: new Date(this.#options.clock.now() + lastsMs),
    });
    return token;
  }

  /** Of several at once, one gets it. */
  async #take(purpose: string, token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { internalAdapter } = await this.auth.$context;
    const found = await internalAdapter.consumeVerificationValue(placeOf(purpose, token));
    if (!found || found.expiresAt.getTime() <= this.#options.clock.now()) return undefined;
    const value: unknown = JSON.parse(found.value);
    return isObject(value) ? value : undefined;
  }
}

/** While the tables are made there is nobody to ask about. */
const NOBODY: Admission = {
  mayEnter: () => Promise.resolve(false),
  mayJoin: () => Promise.resolve(false),
  joined: () => Promise.resolve(),
  identified: () => Promise.resolve(),
};

const RESET = 'reset';
const SLUG = { field: 'slug', value: 'team' } as const;

function placeOf(purpose: string, token: string): string {
  return `${purpose}:${hash('sha256', token)}`;
}

function isTeamRole(value: unknown): value is TeamRole {
  return TEAM_ROLES.some((role) => role === value);
}

function usedUp(): PlugError {
  const remedy = 'Ask an admin of the team for a new link.';
  return new PlugError('not_found', 'This link was used, has run out, or is not complete.', {
    owner: 'you',
    remedy,
  });
}

interface PasswordRow {
  readonly id: string;
}

async function passwordOf(rows: Rows, userId: string): Promise<PasswordRow | null> {
  return await rows.findOne<PasswordRow>({
    model: 'account',
    where: [
      { field: 'userId', value: userId },
      { field: 'providerId', value: 'credential' },
    ],
  });
}

async function setPassword(rows: Rows, userId: string, password: string, now: Date): Promise<void> {
  const before = await passwordOf(rows, userId);
  const changed = { password, updatedAt: now };
  if (before) {
    const where = [{ field: 'id', value: before.id }];
    await rows.update({ model: 'account', where, update: changed });
    return;
  }
  const data = { ...changed, userId, accountId: userId, providerId: 'credential', createdAt: now };
  await rows.create({ model: 'account', data });
}

function notActive(): PlugError {
  const remedy = 'Activate them first.';
  return new PlugError('disabled', 'This person is deactivated.', { owner: 'you', remedy });
}

function noPassword(): PlugError {
  const message = 'This person has no password: they sign in with single sign-on.';
  return new PlugError('unsupported', message, { owner: 'you' });
}

function badPassword(): PlugError {
  const { passwordCharsMin: min, passwordCharsMax: max } = teamLimits;
  return new PlugError('usage', `A password has ${min} to ${max} characters.`, { owner: 'you' });
}

function taken(): PlugError {
  return new PlugError('already_exists', 'This address already belongs to a team member.', {
    owner: 'you',
  });
}

/** What the library says of a form is for the person who filled it in. */
function refused(error: unknown): never {
  const message = error instanceof Error && error.message !== '' ? error.message : 'This was not accepted.';
  throw new PlugError('usage', message, { owner: 'you', cause: error });
}
