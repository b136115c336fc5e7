import { isObject } from '../../base/json.ts';
import type { Group, GroupGiven, Groups } from '../groups.ts';
import { teamLimits } from '../limits.ts';
import type { People } from '../people.ts';
import { GROUP } from './attributes.ts';
import { matches } from './matches.ts';
import type { Resource } from './read-resource.ts';
import { invalid, noResource } from './scim-error.ts';
import { isShown, type Projection } from './shown.ts';
import { asksFor, type Change, type ResourceStore, type Selected, textWanted, type Wanted } from './store.ts';

interface GroupsOptions {
  readonly groups: Groups;
  readonly people: People;
  /** Where the resources are. */
  readonly url: string;
  /** Rules, quotas and shared servers follow groups. */
  readonly changed: () => Promise<void>;
}

/** The groups of the team as a directory sees and changes them. */
export class ScimGroups implements ResourceStore {
  readonly #options: GroupsOptions;

  constructor(options: GroupsOptions) {
    this.#options = options;
  }

  async select({ filter, projection, from, count }: Wanted): Promise<Selected> {
    const { groups, people } = this.#options;
    const id = textWanted(filter, 'id');
    const isAboutMembers = asksFor(filter, 'members');
    const rows = await people.rows();
    const all = await groups.select(rows, { bare: !isAboutMembers, ...(id === undefined ? {} : { id }) });
    const found = all
      .filter((one) => !filter || matches(filter, this.#shown(one)))
      .toSorted((one, next) => (one.id < next.id ? -1 : 1));
    const page = found.slice(from, from + count);
    const isWhole = isAboutMembers || !isShown('members', projection);
    const shown = isWhole ? page : await groups.withMembers(rows, page);
    return { total: found.length, resources: shown.map((one) => this.#shown(one)) };
  }

  async find(id: string, projection: Projection): Promise<Resource | undefined> {
    const { groups, people } = this.#options;
    const [group] = await groups.select(await people.rows(), { id, bare: !isShown('members', projection) });
    return group && this.#shown(group);
  }

  async add(given: Resource): Promise<Resource> {
    const added = await this.#options.groups.add(givenIn(given));
    await this.#options.changed();
    return this.#shown(added);
  }

  async change(id: string, change: Change): Promise<Resource> {
    const { groups, changed } = this.#options;
    const after = await groups.change(id, (before) =>
      givenIn(change(writtenOf(before), this.#shown(before))),
    );
    await changed();
    return this.#shown(after);
  }

  async remove(id: string): Promise<void> {
    const { groups, changed } = this.#options;
    if (!(await groups.find(id))) throw noResource();
    await groups.remove(id);
    await changed();
  }

  #shown(group: Group): Resource {
    const { id, createdAt, updatedAt, members } = group;
    const { url } = this.#options;
    const links = members.map((value) => ({ value, $ref: `${url}/Users/${value}`, type: 'User' }));
    return {
      schemas: [GROUP],
      id,
      ...writtenOf(group),
      ...(links.length > 0 ? { members: links } : {}),
      meta: {
        resourceType: 'Group',
        created: createdAt,
        lastModified: updatedAt,
        location: `${url}/Groups/${id}`,
        version: `W/"${Date.parse(updatedAt)}"`,
      },
    };
  }
}

function writtenOf({ name, externalId, members }: Group): Resource {
  return {
    displayName: name,
    ...(externalId === undefined ? {} : { externalId }),
    ...(members.length > 0 ? { members: members.map((value) => ({ value })) } : {}),
  };
}

function givenIn({ displayName, externalId, members = [] }: Resource): GroupGiven {
  const name = String(displayName); // required by the schema, a text
  if (name.length > teamLimits.nameCharsMax)
    throw invalid('invalidValue', `A group's name has at most ${teamLimits.nameCharsMax} characters.`);
  const ids = (members as readonly unknown[]).map((member) => {
    const id = isObject(member) ? member['value'] : undefined;
    if (typeof id === 'string') return id;
    throw invalid('invalidValue', 'A member of the group has no value.');
  });
  return {
    name,
    members: ids,
    ...(typeof externalId === 'string' ? { externalId } : {}),
  };
}
