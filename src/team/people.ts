import { hash } from 'node:crypto';
import { PlugError } from '../base/errors.ts';
import { secretBytes } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { TEAM_ROLES, type TeamRole } from '../hub/principal.ts';
import { createAuth, prepareTables, type Admission, type Auth, type AuthOptions } from './auth.ts';
import { teamLimits } from './limits.ts';
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

interface MemberRow {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
  /** Absent in rows from before there was a directory. */
  readonly active?: boolean | null;
}

/** The people of the one team of a hub. Everything that is a secret is the library's to keep and check. */
export class People implements Admission {
  /** The library, for those parts of the team that keep their rows in it. */
  readonly auth: Auth;
  readonly #options: Omit<AuthOptions, 'admission'>;
  readonly #changed: ((gone?: string) => void)[] = [];

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

  async add(id: string, role: TeamRole): Promise<void> {
    const team = await this.team();
    if (!team) throw usedUp();
    await this.auth.api.addMember({ body: { userId: id, organizationId: team.id, role } });
    this.changed();
  }

  async mayEnter(id: string): Promise<boolean> {
    const member = await this.#memberOf(id);
    return member !== undefined && member.active !== false;
  }

  async mayJoin({ email, emailVerified }: { email: string; emailVerified: boolean }): Promise<boolean> {
    const { singleSignOn } = this.#options;
    if (!singleSignOn || !(emailVerified || singleSignOn.trustsEmail)) return false;
    return isOfDomain(singleSignOn, email) || (await this.#invitedAs(email)) !== undefined;
  }

  async joined(id: string): Promise<void> {
    if (await this.#memberOf(id)) return;
    const { internalAdapter } = await this.auth.$context;
    const user = await internalAdapter.findUserById(id);
    if (!user || !(await this.mayJoin(user))) return;
    const role = (await this.#invitedAs(user.email)) ?? 'member';
    await this.#takeInvitation(user.email);
    await this.add(id, role);
  }

  async list(): Promise<readonly Person[]> {
    const { adapter } = await this.auth.$context;
    const rows = await adapter.findMany<MemberRow>({ model: 'member', limit: teamLimits.peopleMax });
    const found = await Promise.all(rows.map(({ userId }) => this.find(userId)));
    // Somebody may have been removed meanwhile.
    return found.filter((person) => person !== undefined);
  }

  async find(id: string): Promise<Person | undefined> {
    return (await this.#memberOf(id)) ? await this.#personOf(id) : undefined;
  }

  async setRole(id: string, role: TeamRole): Promise<Person> {
    const member = await this.#existing(id);
    if (member.role === 'owner' && role !== 'owner') await this.#keepAnOwner();
    await this.#update(member, { role });
    return await this.#personOf(id);
  }

  /** Who is deactivated loses sessions, keys and tokens for good; their rows stay. */
  async setActive(id: string, active: boolean): Promise<void> {
    const member = await this.#existing(id);
    if (member.role === 'owner' && !active) await this.#keepAnOwner();
    await this.#update(member, { active });
    if (!active) await this.#endCredentials(id);
  }

  /** Sessions, keys and tokens end with the person. */
  async remove(id: string): Promise<void> {
    const member = await this.#existing(id);
    if (member.role === 'owner') await this.#keepAnOwner();
    const { adapter, internalAdapter } = await this.auth.$context;
    // First of all: without a membership neither session nor key opens anything.
    await adapter.delete({ model: 'member', where: [{ field: 'id', value: member.id }] });
    await this.#endCredentials(id);
    await internalAdapter.deleteUser(id);
    this.changed(id);
  }

  async #update({ id }: MemberRow, update: Partial<MemberRow>): Promise<void> {
    const { adapter } = await this.auth.$context;
    await adapter.update({ model: 'member', where: [{ field: 'id', value: id }], update });
    this.changed();
  }

  async #endCredentials(id: string): Promise<void> {
    const { adapter, internalAdapter } = await this.auth.$context;
    await internalAdapter.deleteUserSessions(id);
    await adapter.deleteMany({ model: 'apikey', where: [{ field: 'referenceId', value: id }] });
    // In this order: access tokens refer to the others.
    for (const model of ['oauthAccessToken', 'oauthRefreshToken', 'oauthConsent']) {
      await adapter.deleteMany({ model, where: [{ field: 'userId', value: id }] });
    }
    this.changed(id);
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
    const { internalAdapter } = await this.auth.$context;
    const [member, user] = await Promise.all([this.#existing(id), internalAdapter.findUserById(id)]);
    if (!user || !isTeamRole(member.role)) throw noPerson();
    return { id, name: user.name, email: user.email, role: member.role, active: member.active !== false };
  }

  async #memberOf(id: string): Promise<MemberRow | undefined> {
    const { adapter } = await this.auth.$context;
    const where = [{ field: 'userId', value: id }];
    return (await adapter.findOne<MemberRow>({ model: 'member', where })) ?? undefined;
  }

  async #existing(id: string): Promise<MemberRow> {
    const member = await this.#memberOf(id);
    if (!member) throw noPerson();
    return member;
  }

  async #keepAnOwner(): Promise<void> {
    const { adapter } = await this.auth.$context;
    const owners = await adapter.findMany<MemberRow>({
      model: 'member',
      where: [{ field: 'role', value: 'owner' }],
    });
    if (owners.filter(({ active }) => active !== false).length > 1) return;
    throw new PlugError('denied', 'A team keeps at least one owner.', { owner: 'you' });
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
};

const SLUG = { field: 'slug', value: 'team' } as const;

function placeOf(purpose: string, token: string): string {
  return `${purpose}:${hash('sha256', token)}`;
}

export function isTeamRole(value: unknown): value is TeamRole {
  return TEAM_ROLES.some((role) => role === value);
}

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
