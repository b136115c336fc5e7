import { isObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import { isActive, type MemberRow, type Rows } from '../membership.ts';
import { teamLimits } from '../limits.ts';
import { ENTERPRISE, USER } from './attributes.ts';
import type { Resource } from './read-resource.ts';
import { invalid } from './scim-error.ts';
import { versionOf } from './shown.ts';
import { scimLimits } from './limits.ts';

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

export interface DirectoryRow {
  readonly id: string;
  readonly userId: string;
  readonly userName: string;
  readonly externalId?: string | null;
  readonly attributes: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A person as the team knows them, and, where a directory has spoken of them, what it said. */
export interface Known {
  readonly user: UserRow;
  readonly member: MemberRow;
  readonly said: DirectoryRow | undefined;
}

/** All, or those of these ids. */
export async function knownIn(rows: Rows, ids?: readonly string[]): Promise<readonly Known[]> {
  if (ids?.length === 0) return [];
  const limit = teamLimits.peopleMax;
  const of = (
    field: string,
  ): { where?: [{ field: string; operator: 'in'; value: string[] }]; limit: number } =>
    ids ? { where: [{ field, operator: 'in', value: [...ids] }], limit } : { limit };
  const members = await rows.findMany<MemberRow>({ model: 'member', ...of('userId') });
  const users = await rows.findMany<UserRow>({ model: 'user', ...of('id') });
  const said = await rows.findMany<DirectoryRow>({ model: 'directoryPerson', ...of('userId') });
  const userOf = new Map(users.map((user) => [user.id, user]));
  const saidOf = new Map(said.map((row) => [row.userId, row]));
  return members
    .flatMap((member) => {
      const user = userOf.get(member.userId);
      return user ? [{ user, member, said: saidOf.get(user.id) }] : [];
    })
    .toSorted((one, next) => (one.user.id < next.user.id ? -1 : 1));
}

/** What a client could have written. */
export function writtenOf({ user, member, said }: Known): Resource {
  const active = isActive(member);
  if (!said) {
    const emails = [{ value: user.email, type: 'work', primary: true }];
    return { userName: user.email, displayName: user.name, active, emails };
  }
  const { userName, externalId } = said;
  return { ...attributesIn(said), userName, active, ...(externalId ? { externalId } : {}) };
}

export interface GroupOf {
  readonly id: string;
  readonly displayName: string;
}

export function shownUser(known: Known, url: string, groups: readonly GroupOf[] | undefined): Resource {
  const { user, member, said } = known;
  const written = writtenOf(known);
  const links = groups?.map(({ id, displayName }) => ({
    value: id,
    $ref: `${url}/Groups/${id}`,
    display: displayName,
  }));
  return {
    schemas: [USER, ...(written[ENTERPRISE] ? [ENTERPRISE] : [])],
    id: user.id,
    ...written,
    roles: [{ value: member.role }],
    ...(links && links.length > 0 ? { groups: links } : {}),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: (said?.updatedAt ?? user.createdAt).toISOString(),
      location: `${url}/Users/${user.id}`,
      version: versionOf(written),
    },
  };
}

function attributesIn({ attributes }: DirectoryRow): Resource {
  const value: unknown = parseJson(attributes);
  return isObject(value) ? value : {};
}

/** What is kept of it in columns, and the rest as one text. */
export function rowOf(written: Resource): {
  readonly userName: string;
  readonly foldedName: string;
  readonly externalId: string | null;
  readonly attributes: string;
} {
  const { userName, externalId, active: _active, ...attributes } = written;
  const name = String(userName).trim(); // required by the schema, a text
  const text = JSON.stringify(attributes);
  if (text.length > scimLimits.attributesCharsMax)
    throw invalid('invalidValue', 'The attributes of this person are too long together.');
  return {
    userName: name,
    foldedName: folded(name),
    externalId: typeof externalId === 'string' ? externalId : null,
    attributes: text,
  };
}

/** What looks the same is the same name. */
export function folded(userName: string): string {
  return userName.trim().normalize('NFKC').toLowerCase();
}

/** The primary address, else one of work, else any, else a user name that is one. */
export function emailOf({ emails, userName }: Resource): string {
  const all = (Array.isArray(emails) ? emails : []).filter(isObject);
  const chosen =
    all.find(({ primary }) => primary === true) ??
    all.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
    all[0];
  const address = chosen?.['value'] ?? userName;
  const isAddress = typeof address === 'string' && /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= 256;
  if (isAddress) return address.toLowerCase();
  throw invalid('invalidValue', 'A person needs an email address, in emails or as userName.');
}

export function nameOf({ displayName, name, userName }: Resource): string {
  const { formatted, givenName, familyName } = isObject(name) ? name : {};
  const joined = [givenName, familyName].filter((part) => typeof part === 'string').join(' ');
  const found = [displayName, formatted, joined, userName].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return (found ?? '').slice(0, teamLimits.nameCharsMax);
}
