import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { ENTERPRISE, GROUPS, USERS, type ResourceType } from './attributes.ts';
import { patched } from './patch.ts';
import type { Resource } from './read-resource.ts';

const PERSON: Resource = {
  userName: 'jana',
  active: true,
  name: { givenName: 'Jana', familyName: 'Ansen' },
  emails: [
    { value: 'jana@corp.test', type: 'work', primary: true },
    { value: 'jana@home.test', type: 'home' },
  ],
  addresses: [{ type: 'work', streetAddress: '1 Quay', locality: 'Kiel' }],
};
const TEAM: Resource = { displayName: 'Crew', members: [{ value: 'a' }, { value: 'b' }] };

const [work, home] = PERSON['emails'] as readonly object[];

interface Row {
  readonly of?: Resource;
  readonly operations: readonly object[];
  readonly becomes: object;
}

const after = (of: Resource, operations: readonly object[], type: ResourceType): Resource =>
  patched(of, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }, type);

verifies(['M5'], 'each kind of PATCH of RFC 7644, section 3.5.2, and what Entra and Okta send', () => {
  const people: Readonly<Record<string, Row>> = {
    'add without a path': {
      operations: [
        { op: 'add', value: { emails: [{ value: 'j@new.test', type: 'other' }], nickName: 'Jo' } },
      ],
      becomes: { emails: [work, home, { value: 'j@new.test', type: 'other' }], nickName: 'Jo' },
    },
    'add to one attribute': {
      operations: [{ op: 'add', path: 'title', value: 'Captain' }],
      becomes: { title: 'Captain' },
    },
    'add what is there already': {
      operations: [{ op: 'add', path: 'emails', value: [home] }],
      becomes: { emails: [work, home] },
    },
    'a new primary address': {
      operations: [
        { op: 'add', path: 'emails', value: { value: 'j@new.test', type: 'other', primary: true } },
      ],
      becomes: {
        emails: [{ ...work, primary: false }, home, { value: 'j@new.test', type: 'other', primary: true }],
      },
    },
    'add merges a complex attribute': {
      operations: [{ op: 'add', path: 'name', value: { middleName: 'K' } }],
      becomes: { name: { givenName: 'Jana', familyName: 'Ansen', middleName: 'K' } },
    },
    'replace without a path': {
      operations: [{ op: 'replace', value: { emails: [home], nickName: 'Jo' } }],
      becomes: { emails: [home], nickName: 'Jo' },
    },
    'replace a whole address': {
      operations: [
        {
          op: 'replace',
          path: 'addresses[type eq "work"]',
          value: { type: 'work', streetAddress: '911 Pier', region: 'SH' },
        },
      ],
      becomes: { addresses: [{ type: 'work', streetAddress: '911 Pier', region: 'SH' }] },
    },
    'replace a part of one value': {
      operations: [{ op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '2 Quay' }],
      becomes: { addresses: [{ type: 'work', streetAddress: '2 Quay', locality: 'Kiel' }] },
    },
    'replace a part': {
      operations: [{ op: 'replace', path: 'name.givenName', value: 'Jan' }],
      becomes: { name: { givenName: 'Jan', familyName: 'Ansen' } },
    },
    'replace of what is not there adds it': {
      operations: [{ op: 'replace', path: 'title', value: 'Captain' }],
      becomes: { title: 'Captain' },
    },
    'remove chosen values': {
      operations: [{ op: 'remove', path: 'emails[type eq "work" and value ew "corp.test"]' }],
      becomes: { emails: [home] },
    },
    'remove a part of one value': {
      operations: [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
      becomes: { emails: [{ value: 'jana@corp.test', type: 'work' }, home] },
    },
    'remove an attribute': {
      operations: [
        { op: 'remove', path: 'name' },
        { op: 'remove', path: 'title' },
      ],
      becomes: { name: undefined },
    },
    'remove what nothing fits': {
      operations: [{ op: 'remove', path: 'emails[type eq "fax"]' }],
      becomes: {},
    },
    'Entra: capitals, a text for false, names in any case': {
      operations: [{ op: 'Replace', path: 'ACTIVE', value: 'False' }],
      becomes: { active: false },
    },
    'Okta: false in an object': {
      operations: [{ op: 'replace', value: { active: false } }],
      becomes: { active: false },
    },
    'Entra: add to a value that is not there yet': {
      operations: [{ op: 'Add', path: 'emails[type eq "other"].value', value: 'j@new.test' }],
      becomes: { emails: [work, home, { type: 'other', value: 'j@new.test' }] },
    },
    'Entra: paths for names': {
      operations: [
        { op: 'Add', value: { 'name.givenName': 'Jan', [`${ENTERPRISE}:department`]: 'Ships', id: 'x' } },
      ],
      becomes: { name: { givenName: 'Jan', familyName: 'Ansen' }, [ENTERPRISE]: { department: 'Ships' } },
    },
    'Entra: a manager by id': {
      operations: [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: '26' }],
      becomes: { [ENTERPRISE]: { manager: { value: '26' } } },
    },
    'an extension as an object': {
      operations: [{ op: 'add', value: { [ENTERPRISE]: { employeeNumber: '7' } } }],
      becomes: { [ENTERPRISE]: { employeeNumber: '7' } },
    },
    'unknown attributes are left out': {
      operations: [{ op: 'add', value: { badge: 5, roles: [{ value: 'owner' }], meta: {}, title: 'Mate' } }],
      becomes: { title: 'Mate' },
    },
  };
  for (const [name, { operations, becomes }] of Object.entries(people)) {
    const changed = after(PERSON, operations, USERS);
    const expected = JSON.parse(JSON.stringify({ ...PERSON, ...becomes })) as object;
    expect([name, changed]).toEqual([name, expected]);
  }
  const groups: Readonly<Record<string, Row>> = {
    'add members': {
      operations: [{ op: 'add', path: 'members', value: [{ value: 'c', display: 'Cy' }, { value: 'a' }] }],
      becomes: { members: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] },
    },
    'remove one member': {
      operations: [{ op: 'remove', path: 'members[value eq "a"]' }],
      becomes: { members: [{ value: 'b' }] },
    },
    'remove all members': {
      operations: [{ op: 'remove', path: 'members' }],
      becomes: { members: undefined },
    },
    'replace all members': {
      operations: [{ op: 'replace', path: 'members', value: [{ value: 'd' }] }],
      becomes: { members: [{ value: 'd' }] },
    },
    'remove all, then add': {
      operations: [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: 'e' }] },
      ],
      becomes: { members: [{ value: 'e' }] },
    },
    'Entra: members to remove, beside the path': {
      operations: [{ op: 'Remove', path: 'members', value: [{ value: 'b' }] }],
      becomes: { members: [{ value: 'a' }] },
    },
    'Okta: a name together with the id': {
      operations: [{ op: 'replace', value: { id: '1', displayName: 'Deck' } }],
      becomes: { displayName: 'Deck' },
    },
  };
  for (const [name, { operations, becomes }] of Object.entries(groups)) {
    const expected = JSON.parse(JSON.stringify({ ...TEAM, ...becomes })) as object;
    expect([name, after(TEAM, operations, GROUPS)]).toEqual([name, expected]);
  }
});

verifies(['M5'], 'a PATCH that cannot be meant is refused whole, with what is wrong', () => {
  const refused: readonly (readonly [object, string])[] = [
    [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    [{ op: 'add', value: 'Captain' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'addresses[type eq "home"]', value: { locality: 'Ulm' } }, 'noTarget'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'add', path: 'roles', value: [{ value: 'owner' }] }, 'mutability'],
    [{ op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    [{ op: 'add', path: 'badge', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: '__proto__', value: { admin: true } }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work"].value.more', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: `emails[${'value pr or '.repeat(20)}value pr]` }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'add', path: 'title', value: { deep: 1 } }, 'invalidValue'],
    [{ op: 'add', path: 'title', value: 'x'.repeat(5_000) }, 'invalidValue'],
    [
      { op: 'add', path: 'emails', value: Array.from({ length: 60 }, (_, n) => `${n}@x.test`) },
      'invalidValue',
    ],
  ];
  for (const [operation, scimType] of refused) {
    const given = [{ op: 'add', path: 'nickName', value: 'Jo' }, operation];
    expect(() => after(PERSON, given, USERS), JSON.stringify(operation).slice(0, 80)).toThrow(
      expect.objectContaining({ status: 400, scimType }),
    );
  }
  const member = [{ op: 'replace', path: 'members[value eq "a"].value', value: 'z' }];
  expect(() => after(TEAM, member, GROUPS)).toThrow(expect.objectContaining({ scimType: 'mutability' }));
  expect(() => after(PERSON, [], USERS)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }));
  expect(PERSON).not.toHaveProperty('nickName');
  expect(Object.prototype).not.toHaveProperty('admin');
});
