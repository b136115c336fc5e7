import type { Clock } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import { groupsOf } from '../groups.ts';
import { removePerson } from '../leaving.ts';
import { teamLimits } from '../limits.ts';
import { isActive, memberIn, setActive, type MemberRow, type Rows } from '../membership.ts';
import type { Team } from '../team.ts';
import type { Filter } from './filter.ts';
import { matches } from './matches.ts';
import type { Resource } from './read-resource.ts';
import { noResource, ScimError } from './scim-error.ts';
import { isShown, type Projection } from './shown.ts';
import { asksFor, type Change, type ResourceStore, type Selected, textWanted, type Wanted } from './store.ts';
import type { Directory } from './tokens.ts';
import {
  emailOf,
  folded,
  type GroupOf,
  type Known,
  knownIn,
  nameOf,
  rowOf,
  shownUser,
  type UserRow,
  writtenOf,
} from './user-rows.ts';

interface UsersOptions {
  readonly team: Pick<Team, 'people' | 'spaces' | 'destroyVault'>;
  /** Where the resources are. */
  readonly url: string;
  readonly clock: Clock;
}

/** The people of the team as a directory sees and changes them, also those whom it did not bring. */
export class ScimUsers implements ResourceStore {
  readonly #options: UsersOptions;

  constructor(options: UsersOptions) {
    this.#options = options;
  }

  async select({ filter, projection, from, count }: Wanted): Promise<Selected> {
    const { url } = this.#options;
    const rows = await this.#options.team.people.rows();
    const known = await knownIn(rows, await idsFor(filter, rows));
    const isAboutGroups = asksFor(filter, 'groups');
    // There may be many more memberships than people: those of the page do, where nobody asks for others.
    const all = isAboutGroups ? await groupsByPerson(rows, undefined) : undefined;
    const found = known.filter(
      (one) => !filter || matches(filter, shownUser(one, url, all?.get(one.user.id))),
    );
    const page = found.slice(from, from + count);
    const groups = isShown('groups', projection)
      ? (all ??
        (await groupsByPerson(
          rows,
          page.map(({ user }) => user.id),
        )))
      : undefined;
    const resources = page.map((one) => shownUser(one, url, groups?.get(one.user.id)));
    return { total: found.length, resources };
  }

  async find(id: string, projection: Projection): Promise<Resource | undefined> {
    const rows = await this.#options.team.people.rows();
    const [known] = await knownIn(rows, [id]);
    return known && (await this.#shown(rows, known, projection));
  }

  async add(given: Resource): Promise<Resource> {
    return await this.#options.team.people.together(async (rows) => {
      if ((await rows.count({ model: 'member' })) >= teamLimits.peopleMax) throw full();
      const [name, email] = [nameOf(given), emailOf(given)];
      const row = rowOf(given);
      await checkFree(rows, { email, foldedName: row.foldedName });
      await removeStray(rows, email);
      const now = new Date(this.#options.clock.now());
      const times = { createdAt: now, updatedAt: now };
      const team = await rows.findOne<{ id: string }>({ model: 'organization', where: TEAM });
      // The directory vouches for its addresses.
      const user = { name, email, emailVerified: true, ...times };
      const { id } = await rows.create<object, UserRow>({ model: 'user', data: user });
      const active = given['active'] !== false;
      const member = { userId: id, organizationId: team?.id, role: 'member', active, createdAt: now };
      await rows.create({ model: 'member', data: member });
      await rows.create({ model: 'directoryPerson', data: { ...row, userId: id, ...times } });
      return await this.#shownById(rows, id);
    });
  }

  async change(id: string, change: Change, by: Directory): Promise<Resource> {
    const { people, spaces } = this.#options.team;
    let isEnded = false;
    // Names may be known by the old one for a moment; who comes back must not be taken for away.
    let isBack = false;
    const changed = await people.together(async (rows) => {
      const [before] = await knownIn(rows, [id]);
      if (!before) throw noResource();
      const written = writtenOf(before);
      const shown = await this.#shown(rows, before, {});
      // Whether somebody is active changes only where it is said.
      const after = { active: written['active'], ...change(written, shown) };
      if (canonicalJson(after) === canonicalJson(written)) return shown;
      await this.#write(rows, before, after, by);
      [isEnded, isBack] = [after['active'] === false, !isActive(before.member)];
      return await this.#shownById(rows, id);
    });
    if (isEnded || isBack) people.changed(isEnded ? id : undefined);
    if (isEnded) await spaces.endPerson(id);
    return changed;
  }

  async remove(id: string, by: Directory): Promise<void> {
    const { team } = this.#options;
    const member = await memberIn(await team.people.rows(), id);
    if (!member) throw noResource();
    checkMay(member, by);
    await removePerson(team, id);
  }

  async #write(rows: Rows, before: Known, after: Resource, by: Directory): Promise<void> {
    const { user, member, said } = before;
    const [name, email, active] = [nameOf(after), emailOf(after), after['active'] !== false];
    const isOther = email !== user.email || active !== isActive(member);
    if (isOther) checkMay(member, by);
    const row = rowOf(after);
    await checkFree(rows, { email, foldedName: row.foldedName }, user.id);
    const now = new Date(this.#options.clock.now());
    if (name !== user.name || email !== user.email) {
      const update = { name, email, emailVerified: true, updatedAt: now };
      await rows.update({ model: 'user', where: [{ field: 'id', value: user.id }], update });
    }
    const where = [{ field: 'userId', value: user.id }];
    if (said) await rows.update({ model: 'directoryPerson', where, update: { ...row, updatedAt: now } });
    else {
      const data = { ...row, userId: user.id, createdAt: now, updatedAt: now };
      await rows.create({ model: 'directoryPerson', data });
    }
    if (active !== isActive(member)) await setActive(rows, member, active);
  }

  async #shownById(rows: Rows, id: string): Promise<Resource> {
    const [known] = await knownIn(rows, [id]);
    if (!known) throw noResource();
    return await this.#shown(rows, known, {});
  }

  async #shown(rows: Rows, known: Known, projection: Projection): Promise<Resource> {
    const groups = isShown('groups', projection) ? await groupsOf(rows, known.user.id) : undefined;
    return shownUser(known, this.#options.url, groups);
  }
}

const TEAM = [{ field: 'slug', value: 'team' }];

/** An admin does not touch owners, nor does what acts for one: else an address of their own would do. */
function checkMay({ role }: MemberRow, { admin }: Directory): void {
  if (role !== 'owner' || admin.role === 'owner') return;
  throw new ScimError(403, 'This person is an owner of the team: it takes a token that an owner has made.');
}

interface Names {
  readonly email: string;
  readonly foldedName: string;
}

/** A user name may not be the address of another either: people are found by both. */
async function checkFree(rows: Rows, { email, foldedName }: Names, own?: string): Promise<void> {
  const where = [{ field: 'foldedName', value: foldedName }];
  const named = await rows.findOne<{ userId: string }>({ model: 'directoryPerson', where });
  if (named && named.userId !== own) throw taken('userName');
  for (const value of new Set([email, foldedName])) {
    const user = await rows.findOne<UserRow>({ model: 'user', where: [{ field: 'email', value }] });
    const isMember = user && user.id !== own && (await memberIn(rows, user.id));
    if (isMember) throw taken(value === email ? 'email address' : 'userName');
  }
}

/** Left behind by somebody who began to join and never did; it has opened nothing, and must not now. */
async function removeStray(rows: Rows, email: string): Promise<void> {
  const user = await rows.findOne<UserRow>({ model: 'user', where: [{ field: 'email', value: email }] });
  if (!user) return;
  for (const model of ['session', 'account'])
    await rows.deleteMany({ model, where: [{ field: 'userId', value: user.id }] });
  await rows.delete({ model: 'user', where: [{ field: 'id', value: user.id }] });
}

/** Undefined where all must be looked at. */
async function idsFor(filter: Filter | undefined, rows: Rows): Promise<readonly string[] | undefined> {
  const id = textWanted(filter, 'id');
  if (id !== undefined) return [id];
  const asked = textWanted(filter, 'userName');
  const userName = asked === undefined ? undefined : folded(asked);
  const externalId = textWanted(filter, 'externalId');
  if (userName === undefined && externalId === undefined) return undefined;
  const where =
    userName === undefined
      ? [{ field: 'externalId', value: externalId ?? '' }]
      : [{ field: 'foldedName', value: userName }];
  const said = await rows.findMany<{ userId: string }>({ model: 'directoryPerson', where, limit: SAME_MAX });
  const byEmail = [{ field: 'email', value: userName ?? '' }];
  const user = userName === undefined ? null : await rows.findOne<UserRow>({ model: 'user', where: byEmail });
  return [...new Set([...said.map(({ userId }) => userId), ...(user ? [user.id] : [])])];
}

const SAME_MAX = 1_000;

/** Of all, or of these. */
async function groupsByPerson(
  rows: Rows,
  people: readonly string[] | undefined,
): Promise<ReadonlyMap<string, readonly GroupOf[]>> {
  const where = people && [{ field: 'userId', operator: 'in' as const, value: [...people] }];
  if (people?.length === 0) return new Map();
  const members = await rows.findMany<{ groupId: string; userId: string }>({
    model: 'teamGroupMember',
    ...(where ? { where } : {}),
    limit: MEMBERSHIPS_MAX,
  });
  if (members.length === 0) return new Map();
  const groups = await rows.findMany<GroupOf>({ model: 'teamGroup', limit: teamLimits.groupsMax });
  const byId = new Map(groups.map((group) => [group.id, group]));
  const found = new Map<string, GroupOf[]>();
  for (const { groupId, userId } of members) {
    const group = byId.get(groupId);
    if (!group) continue;
    const own = found.get(userId);
    if (own) own.push(group);
    else found.set(userId, [group]);
  }
  return found;
}

const MEMBERSHIPS_MAX = 1_000_000;

function taken(what: string): ScimError {
  return new ScimError(409, `Another person of this team has this ${what}.`, 'uniqueness');
}

function full(): ScimError {
  return new ScimError(403, 'The team has as many people as it may.');
}
