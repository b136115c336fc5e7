import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { ENTERPRISE, USER, USERS } from './attributes.ts';
import { parseFilter } from './filter.ts';
import { matches } from './matches.ts';

/** Three people, so that each filter has somebody to leave out. */
const PEOPLE = [
  {
    schemas: [USER, ENTERPRISE],
    id: '1',
    externalId: 'Ext-1',
    userName: 'JAnsen',
    name: { givenName: 'Jana', familyName: "O'Neill-Ansen" },
    title: 'Engineer',
    userType: 'Employee',
    active: true,
    emails: [
      { value: 'jana@corp.test', type: 'work', primary: true },
      { value: 'jana@home.test', type: 'home' },
    ],
    ims: [{ value: 'jana@chat.test', type: 'xmpp' }],
    [ENTERPRISE]: { department: 'Ships', manager: { value: '2' } },
    meta: { resourceType: 'User', lastModified: '2026-05-13T04:42:34.000Z' },
  },
  {
    schemas: [USER],
    id: '2',
    userName: 'kim',
    userType: 'Intern',
    active: false,
    emails: [{ value: 'kim@corp.test', type: 'home' }],
    ims: [{ value: 'kim@chat.test', type: 'xmpp' }],
    meta: { resourceType: 'User', lastModified: '2026-05-13T06:42:34+02:00' },
  },
  {
    schemas: [USER],
    id: '3',
    userName: 'lou',
    title: '',
    userType: 'Employee',
    active: true,
    emails: [{ value: 'lou@else.test', type: 'work' }],
    meta: { resourceType: 'User', lastModified: '2026-05-12T00:00:00Z' },
  },
];

const found = (filter: string): string => {
  const parsed = parseFilter(filter, USERS);
  return PEOPLE.filter((person) => matches(parsed, person))
    .map(({ id }) => id)
    .join('');
};

verifies(['M5'], 'each kind of filter of RFC 7644, section 3.4.2.2, finds the people it means', () => {
  const table: Readonly<Record<string, string>> = {
    'userName eq "jansen"': '1',
    'USERNAME Eq "JANSEN"': '1',
    'externalId eq "Ext-1"': '1',
    'externalId eq "ext-1"': '',
    'id eq "2"': '2',
    [`name.familyName co "O'Neill"`]: '1',
    'userName sw "J"': '1',
    [`${USER}:userName sw "k"`]: '2',
    [`${USER.toUpperCase()}:userName sw "k"`]: '2',
    [`${ENTERPRISE}:department eq "ships"`]: '1',
    [`${ENTERPRISE}:manager.value eq "2"`]: '1',
    [`${ENTERPRISE} pr`]: '1',
    'userName ew "u"': '3',
    'title pr': '1',
    'not (title pr)': '23',
    'title eq null': '23',
    'title ne null': '1',
    'meta.lastModified gt "2026-05-13T04:42:33Z"': '12',
    'meta.lastModified gt "2026-05-13T04:42:34Z"': '',
    'meta.lastModified ge "2026-05-13T04:42:34Z"': '12',
    'meta.lastModified lt "2026-05-13T04:42:34Z"': '3',
    'meta.lastModified le "2026-05-13T04:42:34Z"': '123',
    'meta.lastModified eq "2026-05-13T04:42:34Z"': '12',
    'userName gt "k"': '23',
    'title pr and userType eq "Employee"': '1',
    'title pr or userType eq "Intern"': '12',
    [`schemas eq "${ENTERPRISE}"`]: '1',
    'userType eq "Employee" and (emails co "corp.test" or emails.value co "else.test")': '13',
    'userType ne "Employee" and not (emails co "else.test" or emails.value co "home.test")': '2',
    'userType eq "Employee" and (emails.type eq "work")': '13',
    'userType eq "Employee" and emails[type eq "work" and value co "@corp.test"]': '1',
    // The values of one email, and not of any two.
    'emails[type eq "home" and value co "@corp.test"]': '2',
    'emails.type eq "home" and emails.value co "@corp.test"': '12',
    'emails[type eq "work" and value co "@corp.test"] or ims[type eq "xmpp" and value co "kim"]': '12',
    'emails[not (type eq "work")]': '12',
    'active eq true': '13',
    'active eq "False"': '2',
    'active ne True': '2',
    'emails.primary eq true': '1',
    // `and` binds closer than `or`.
    'userName eq "kim" or title pr and userType eq "Intern"': '2',
    '(userName eq "kim" or title pr) and userType eq "Employee"': '1',
    'name.givenName eq "Ja\\u006ea"': '1',
  };
  for (const [filter, ids] of Object.entries(table)) expect([filter, found(filter)]).toEqual([filter, ids]);
});

verifies(['M5'], 'a filter that is wrong, unknown or made to exhaust is refused at once', () => {
  const deep = (depth: number): string => `${'('.repeat(depth)}title pr${')'.repeat(depth)}`;
  expect(found(deep(10))).toBe('1');
  const wrong = [
    '',
    'userName',
    'userName eq',
    'userName eq kim',
    'userName zz "kim"',
    'userName eq "kim',
    'userName eq "kim" garbage',
    'userName eq "a\\u0000"',
    'userName gt 5',
    'active gt true',
    'active co "t"',
    'nobody eq "kim"',
    '__proto__ pr',
    'constructor pr',
    'emails[type eq "work"',
    'emails[nobody eq "work"]',
    'emails[type eq "work"].value eq "x"',
    'userName[value eq "x"]',
    'meta.lastModified gt "yesterday"',
    'not title pr',
    '(title pr',
    deep(1_000),
    'not ('.repeat(500),
    `userName eq "${'a'.repeat(5_000)}"`,
    Array.from({ length: 100 }, () => 'title pr').join(' or '),
  ];
  for (const filter of wrong) {
    let refusal: unknown;
    try {
      found(filter);
    } catch (error) {
      refusal = error;
    }
    expect([filter.slice(0, 60), refusal]).toMatchObject([
      filter.slice(0, 60),
      { status: 400, scimType: 'invalidFilter' },
    ]);
  }
});
