import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { People } from './people.ts';

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
    const adapter = await this.#adapter();
    const rows = await adapter.findMany<GroupRow>({ model: GROUP, limit: GROUPS_MAX });
    return await Promise.all(rows.map((row) => this.#groupOf(row)));
  }

  async find(id: string): Promise<Group | undefined> {
    const adapter = await this.#adapter();
    const row = await adapter.findOne<GroupRow>({ model: GROUP, where: [{ field: 'id', value: id }] });
    return row ? await this.#groupOf(row) : undefined;
  }

  /** The names of somebody's groups: by those, policies speak about them. */
  async namesOf(person: string): Promise<readonly string[]> {
    const adapter = await this.#adapter();
    const where = [{ field: 'userId', value: person }];
    const rows = await adapter.findMany<MemberRow>({ model: MEMBER, where });
    const groups = await Promise.all(
      rows.map(({ groupId }) =>
        adapter.findOne<GroupRow>({ model: GROUP, where: [{ field: 'id', value: groupId }] }),
      ),
    );
    return groups.flatMap((group) => group?.displayName ?? []).toSorted();
  }

  async add({ name, externalId, members }: GroupGiven): Promise<Group> {
    const adapter = await this.#adapter();
    if ((await adapter.count({ model: GROUP })) >= GROUPS_MAX) throw tooMany();
    await this.#checkFree(name);
    const now = new Date(this.#clock.now());
    const data = { displayName: name, externalId: externalId ?? null, createdAt: now, updatedAt: now };
    const made = await adapter.create<Record<string, unknown>, GroupRow>({ model: GROUP, data });
    await this.#setMembers(made.id, members);
    return await this.#groupOf(made);
  }

  async replace(id: string, { name, externalId, members }: GroupGiven): Promise<Group> {
    const adapter = await this.#adapter();
    await this.#checkFree(name, id);
    const update = {
      displayName: name,
      externalId: externalId ?? null,
      updatedAt: new Date(this.#clock.now()),
    };
    const where = [{ field: 'id', value: id }];
    const row = await adapter.update<GroupRow>({ model: GROUP, where, update });
    if (!row) throw noGroup();
    await this.#setMembers(id, members);
    return await this.#groupOf(row);
  }

  async remove(id: string): Promise<void> {
    const adapter = await this.#adapter();
    await adapter.deleteMany({ model: MEMBER, where: [{ field: 'groupId', value: id }] });
    const gone = await adapter.deleteMany({ model: GROUP, where: [{ field: 'id', value: id }] });
    this.#people.changed();
    if (gone === 0) throw noGroup();
  }

  /** Only what changes is written: a directory sends thousands again and again. */
  async #setMembers(id: string, members: readonly string[]): Promise<void> {
    const adapter = await this.#adapter();
    const wanted = new Set(members);
    for (const member of wanted) if (!(await this.#people.find(member))) throw noMember();
    const rows = await adapter.findMany<MemberRow>({
      model: MEMBER,
      where: [{ field: 'groupId', value: id }],
      limit: MEMBERS_MAX,
    });
    const known = new Set(rows.map(({ userId }) => userId));
    for (const userId of wanted.difference(known)) {
      await adapter.create({ model: MEMBER, data: { groupId: id, userId } });
    }
    for (const userId of known.difference(wanted)) {
      const where = [
        { field: 'groupId', value: id },
        { field: 'userId', value: userId },
      ];
      await adapter.deleteMany({ model: MEMBER, where });
    }
    this.#people.changed();
  }

  async #groupOf({ id, displayName, externalId, createdAt, updatedAt }: GroupRow): Promise<Group> {
    const adapter = await this.#adapter();
    const where = [{ field: 'groupId', value: id }];
    const rows = await adapter.findMany<MemberRow>({ model: MEMBER, where, limit: MEMBERS_MAX });
    return {
      id,
      name: displayName,
      members: rows.map(({ userId }) => userId),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ...(externalId ? { externalId } : {}),
    };
  }

  async #checkFree(name: string, id?: string): Promise<void> {
    const adapter = await this.#adapter();
    const where = [{ field: 'displayName', value: name }];
    const before = await adapter.findOne<GroupRow>({ model: GROUP, where });
    if (before && before.id !== id) throw taken();
  }

  // oxlint-disable-next-line typescript/explicit-function-return-type -- the library's type
  async #adapter() {
    return (await this.#people.auth.$context).adapter;
  }
}

const GROUP = 'teamGroup';
const MEMBER = 'teamGroupMember';
const GROUPS_MAX = 10_000;
const MEMBERS_MAX = 10_000;

export function noGroup(): PlugError {
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
