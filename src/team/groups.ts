import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Rows } from './membership.ts';
import type { People } from './people.ts';
import { teamLimits } from './limits.ts';

/** People together, by hand or from the directory, so that something can be said about all of them. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly externalId?: string;
  readonly members: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface GroupGiven {
  readonly name: string;
  readonly externalId?: string | undefined;
  readonly members: readonly string[];
}

interface GroupRow {
  readonly id: string;
  readonly displayName: string;
  readonly externalId?: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface MemberRow {
  readonly groupId: string;
  readonly userId: string;
}

export class Groups {
  readonly #people: People;
  readonly #clock: Clock;

  constructor(people: People, clock: Clock) {
    this.#people = people;
    this.#clock = clock;
  }

  async list(): Promise<readonly Group[]> {
    const rows = await this.#people.rows();
    return await this.select(rows, {});
  }

  /** Those of one name or id, or all; without their members where nobody asks for them. */
  async select(
    rows: Rows,
    { id, name, bare = false }: { readonly id?: string; readonly name?: string; readonly bare?: boolean },
  ): Promise<readonly Group[]> {
    const byId = id === undefined ? [] : [{ field: 'id', value: id }];
    const byName = name === undefined ? [] : [{ field: 'displayName', value: name }];
    const where = [...byId, ...byName];
    const found = await rows.findMany<GroupRow>({ model: GROUP, where, limit: teamLimits.groupsMax });
    const members = bare
      ? new Map<string, string[]>()
      : await membersOf(rows, where.length > 0 ? found : undefined);
    return found.map((row) => groupOf(row, members.get(row.id) ?? []));
  }

  /** Of groups that were selected bare. */
  async withMembers(rows: Rows, groups: readonly Group[]): Promise<readonly Group[]> {
    const members = await membersOf(rows, groups);
    return groups.map((group) => ({ ...group, members: members.get(group.id) ?? [] }));
  }

  async find(id: string): Promise<Group | undefined> {
    const [found] = await this.select(await this.#people.rows(), { id });
    return found;
  }

  /** The names of somebody's groups: by those, policies speak about them. */
  async namesOf(person: string): Promise<readonly string[]> {
    const groups = await groupsOf(await this.#people.rows(), person);
    return groups.map(({ displayName }) => displayName).toSorted();
  }

  async add({ name, externalId, members }: GroupGiven): Promise<Group> {
    const made = await this.#people.together(async (rows) => {
      if ((await rows.count({ model: GROUP })) >= teamLimits.groupsMax) throw tooMany();
      await checkFree(rows, name);
      const now = new Date(this.#clock.now());
      const data = { displayName: name, externalId: externalId ?? null, createdAt: now, updatedAt: now };
      const row = await rows.create<Record<string, unknown>, GroupRow>({ model: GROUP, data });
      const rest = await setMembers(rows, row.id, [], members);
      return { group: groupOf(row, [...new Set(members)]), rest };
    });
    await this.#join(made.group.id, made.rest);
    this.#people.changed();
    return made.group;
  }

  /** From the group as it is to what it shall be; nobody else changes it meanwhile. */
  async change(id: string, change: (before: Group) => GroupGiven): Promise<Group> {
    const changed = await this.#people.together(async (rows) => {
      const [before] = await this.select(rows, { id });
      if (!before) throw noGroup();
      const { name, externalId, members } = change(before);
      if (name !== before.name) await checkFree(rows, name);
      // Later than before, however often it is changed within a millisecond.
      const updatedAt = new Date(Math.max(this.#clock.now(), Date.parse(before.updatedAt) + 1));
      const update = { displayName: name, externalId: externalId ?? null, updatedAt };
      const row = await rows.update<GroupRow>({ model: GROUP, where: [{ field: 'id', value: id }], update });
      if (!row) throw noGroup();
      const rest = await setMembers(rows, id, before.members, members);
      return { group: groupOf(row, [...new Set(members)]), rest };
    });
    await this.#join(id, changed.rest);
    this.#people.changed();
    return changed.group;
  }

  /** Thousands take a while: between some and the next, other changes have their turn, such as who must go. */
  async #join(groupId: string, rest: readonly string[]): Promise<void> {
    for (const part of partsOf(rest)) {
      await this.#people.together(async (rows) => {
        const [group] = await this.select(rows, { id: groupId });
        const ofPart = [{ field: 'userId', operator: 'in' as const, value: part }];
        const members = await rows.findMany<MemberRow>({ model: 'member', where: ofPart, limit: PART });
        const known = new Set(group?.members);
        // Meanwhile, the group or some of them may have gone.
        const joining = group ? members.filter(({ userId }) => !known.has(userId)) : [];
        for (const { userId } of joining) await rows.create({ model: MEMBER, data: { groupId, userId } });
      });
    }
  }

  async remove(id: string): Promise<void> {
    const gone = await this.#people.together(async (rows) => {
      await rows.deleteMany({ model: MEMBER, where: [{ field: 'groupId', value: id }] });
      return await rows.deleteMany({ model: GROUP, where: [{ field: 'id', value: id }] });
    });
    this.#people.changed();
    if (gone === 0) throw noGroup();
  }
}

export async function groupsOf(rows: Rows, person: string): Promise<readonly GroupRow[]> {
  const where = [{ field: 'userId', value: person }];
  const own = await rows.findMany<MemberRow>({ model: MEMBER, where, limit: teamLimits.groupsMax });
  if (own.length === 0) return [];
  const value = own.map(({ groupId }) => groupId);
  return await rows.findMany<GroupRow>({
    model: GROUP,
    where: [{ field: 'id', operator: 'in', value }],
    limit: teamLimits.groupsMax,
  });
}

/** By group; of the given ones alone, or of all. */
async function membersOf(
  rows: Rows,
  groups: readonly Pick<GroupRow, 'id'>[] | undefined,
): Promise<ReadonlyMap<string, string[]>> {
  if (groups?.length === 0) return new Map();
  const value = groups?.map(({ id }) => id);
  const found = await rows.findMany<MemberRow>({
    model: MEMBER,
    ...(value ? { where: [{ field: 'groupId', operator: 'in' as const, value }] } : {}),
    limit: MEMBERS_MAX * (groups?.length ?? 100),
  });
  const members = new Map<string, string[]>();
  for (const { groupId, userId } of found) {
    const known = members.get(groupId);
    if (known) known.push(userId);
    else members.set(groupId, [userId]);
  }
  return members;
}

/**
 * Only what changes is written: a directory sends thousands again and again. Answers those who have still to
 * join.
 */
async function setMembers(
  rows: Rows,
  groupId: string,
  before: readonly string[],
  wanted: readonly string[],
): Promise<readonly string[]> {
  const known = new Set(before);
  const after = new Set(wanted);
  if (after.size > MEMBERS_MAX) throw tooManyMembers();
  const joining = [...after.difference(known)];
  for (const part of partsOf(joining)) {
    const where = [{ field: 'userId', operator: 'in' as const, value: part }];
    const there = await rows.count({ model: 'member', where });
    if (there < part.length) throw noMember();
  }
  for (const userId of joining.slice(0, PART))
    await rows.create({ model: MEMBER, data: { groupId, userId } });
  for (const part of partsOf([...known.difference(after)])) {
    const where = [
      { field: 'groupId', value: groupId },
      { field: 'userId', operator: 'in' as const, value: part },
    ];
    await rows.deleteMany({ model: MEMBER, where });
  }
  return joining.slice(PART);
}

function partsOf(ids: readonly string[]): readonly string[][] {
  return Array.from({ length: Math.ceil(ids.length / PART) }, (_, index) =>
    ids.slice(index * PART, (index + 1) * PART),
  );
}

function groupOf(
  { id, displayName, externalId, createdAt, updatedAt }: GroupRow,
  members: readonly string[],
): Group {
  return {
    id,
    name: displayName,
    members,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(externalId ? { externalId } : {}),
  };
}

async function checkFree(rows: Rows, name: string): Promise<void> {
  const where = [{ field: 'displayName', value: name }];
  if (await rows.findOne<GroupRow>({ model: GROUP, where })) throw taken();
}

const GROUP = 'teamGroup';
const MEMBER = 'teamGroupMember';
const MEMBERS_MAX = 10_000;
const PART = 250;

function noGroup(): PlugError {
  return new PlugError('not_found', 'There is no such group in this team.', { owner: 'you' });
}

function noMember(): PlugError {
  return new PlugError('usage', 'A member of the group is not in this team.', { owner: 'you' });
}

function taken(): PlugError {
  return new PlugError('already_exists', 'A group of this name is there already.', { owner: 'you' });
}

function tooMany(): PlugError {
  return new PlugError('too_large', 'The team has as many groups as it may.', { owner: 'you' });
}

function tooManyMembers(): PlugError {
  return new PlugError('too_large', 'A group has at most 10,000 members.', { owner: 'you' });
}
