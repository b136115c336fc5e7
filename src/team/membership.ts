import { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { TeamRole } from '../hub/principal.ts';
import type { Auth } from './auth.ts';

/** The rows of the people, of one transaction or of none. */
export type Rows = Omit<Awaited<Auth['$context']>['adapter'], 'transaction'>;

export interface MemberRow {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
  /** Absent in rows from before there was a directory. */
  readonly active?: boolean | null;
}

export function isActive({ active }: MemberRow): boolean {
  return active !== false;
}

export async function memberIn(rows: Rows, userId: string): Promise<MemberRow | undefined> {
  const where = [{ field: 'userId', value: userId }];
  return (await rows.findOne<MemberRow>({ model: 'member', where })) ?? undefined;
}

/** Those of these people who may not enter. */
export async function absentIn(rows: Rows, userIds: readonly string[]): Promise<readonly string[]> {
  if (userIds.length === 0) return [];
  const where = [{ field: 'userId', operator: 'in' as const, value: [...userIds] }];
  const members = await rows.findMany<MemberRow>({ model: 'member', where, limit: userIds.length });
  const active = new Set(members.filter(isActive).map(({ userId }) => userId));
  return userIds.filter((id) => !active.has(id));
}

export async function existing(rows: Rows, userId: string): Promise<MemberRow> {
  const member = await memberIn(rows, userId);
  if (!member) throw noPerson();
  return member;
}

export async function setRole(rows: Rows, member: MemberRow, role: TeamRole): Promise<void> {
  if (member.role === 'owner' && role !== 'owner') await keepAnOwner(rows, member);
  await update(rows, member, { role });
}

/**
 * Nothing of before opens anything later: also not what a sign-in made that was on its way when its person
 * was deactivated.
 */
export async function setActive(rows: Rows, member: MemberRow, active: boolean): Promise<void> {
  if (member.role === 'owner' && !active) await keepAnOwner(rows, member);
  if (!active || !isActive(member)) await endCredentials(rows, member.userId);
  await update(rows, member, { active });
}

/** With everything that is theirs, but for the records of their calls. */
export async function remove(rows: Rows, member: MemberRow, leftAt: Date): Promise<void> {
  if (member.role === 'owner') await keepAnOwner(rows, member);
  const { id, userId } = member;
  const user = await rows.findOne<{ readonly email: string }>({
    model: 'user',
    where: [{ field: 'id', value: userId }],
  });
  await rows.create({ model: 'formerPerson', data: { userId, email: user?.email ?? '', leftAt } });
  await rows.delete({ model: 'member', where: [{ field: 'id', value: id }] });
  await endCredentials(rows, userId);
  await rows.deleteMany({ model: 'account', where: [{ field: 'userId', value: userId }] });
  await rows.delete({ model: 'user', where: [{ field: 'id', value: userId }] });
}

/** Whose records are there without a person. */
export interface FormerPerson {
  readonly id: string;
  readonly email: string;
}

export async function formerIn(rows: Rows): Promise<readonly FormerPerson[]> {
  const found = await rows.findMany<{ readonly userId: string; readonly email: string }>({
    model: 'formerPerson',
    limit: FORMER_MAX,
  });
  return found.map(({ userId: id, email }) => ({ id, email }));
}

const FORMER_MAX = 100_000;

async function update(rows: Rows, { id }: MemberRow, changed: Partial<MemberRow>): Promise<void> {
  await rows.update({ model: 'member', where: [{ field: 'id', value: id }], update: changed });
}

async function keepAnOwner(rows: Rows, { id }: MemberRow): Promise<void> {
  const owners = await rows.findMany<MemberRow>({
    model: 'member',
    where: [{ field: 'role', value: 'owner' }],
  });
  if (owners.some((other) => other.id !== id && isActive(other))) return;
  throw new PlugError('denied', 'A team keeps at least one owner.', { owner: 'you' });
}

/** Sessions, keys, tokens, and links and codes that would become one. */
async function endCredentials(rows: Rows, userId: string): Promise<void> {
  const own = [{ field: 'userId', value: userId }];
  await rows.deleteMany({ model: 'session', where: own });
  await rows.deleteMany({ model: 'apikey', where: [{ field: 'referenceId', value: userId }] });
  // In this order: access tokens refer to the others.
  for (const model of ['oauthAccessToken', 'oauthRefreshToken', 'oauthConsent'])
    await rows.deleteMany({ model, where: own });
  await endLinks(rows, userId);
}

/** They are found by the person that their text names. */
export async function endLinks(rows: Rows, userId: string, purpose = ''): Promise<void> {
  const named = { field: 'value', operator: 'contains' as const, value: JSON.stringify(userId) };
  const found = await rows.findMany<{ id: string; identifier: string; value: string }>({
    model: 'verification',
    where: [named],
    limit: LINKS_MAX,
  });
  for (const { id, identifier, value } of found) {
    if (!identifier.startsWith(purpose) || userIn(value) !== userId) continue;
    await rows.delete({ model: 'verification', where: [{ field: 'id', value: id }] });
  }
}

const LINKS_MAX = 1_000;

function userIn(value: string): unknown {
  try {
    const said: unknown = JSON.parse(value);
    return isObject(said) ? said['userId'] : undefined;
  } catch {
    return undefined;
  }
}

export function noPerson(): PlugError {
  return new PlugError('not_found', 'There is no such person in this team.', { owner: 'you' });
}
