import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { asking, openTeam, type Member, type TeamWorld } from './team-world.ts';
import { askScim, directoryOf, type ScimClient } from './scim-client.ts';

let world: TeamWorld;
let admin: Member;
let directory: ScimClient;
/** Made by an admin who is no owner. */
let ofAdmin: ScimClient;
beforeAll(async () => {
  world = await openTeam();
  admin = await world.invited('admin', 'anna');
  directory = await directoryOf(world.owner, world.team.url);
  ofAdmin = await directoryOf(admin, world.team.url);
}, 200_000);
afterAll(() => world[Symbol.asyncDispose]());

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const person = (userName: string, more: object = {}): object => ({ schemas: [USER], userName, ...more });
const add = async (userName: string, more: object = {}): Promise<string> =>
  (await directory.ask('POST', '/Users', person(userName, more))).body.id;

verifies(['M5'], 'a directory finds out what is supported', async () => {
  const { body: config, headers } = await directory.ask('GET', '/ServiceProviderConfig');
  expect(headers.get('content-type')).toBe('application/scim+json');
  expect(config).toMatchObject({
    patch: { supported: true },
    filter: { supported: true },
    bulk: { supported: false },
  });
  const types = (await directory.ask('GET', '/ResourceTypes')).body;
  expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
    '/Users',
    '/Groups',
  ]);
  expect((await directory.ask('GET', '/ResourceTypes/User')).body.schema).toBe(USER);
  const schemas = (await directory.ask('GET', '/Schemas')).body;
  expect(schemas).toMatchObject({
    totalResults: 3,
    Resources: [{ id: USER }, { id: GROUP }, { id: ENTERPRISE }],
  });
  const schema = (await directory.ask('GET', `/Schemas/${USER}`)).body;
  expect(schema.attributes).toContainEqual(
    expect.objectContaining({ name: 'roles', mutability: 'readOnly' }),
  );
  for (const [path, status] of [
    ['/Me', 501],
    ['/Bulk', 501],
    ['/Badges', 404],
    ['/Users/no%00body', 404],
  ] as const)
    expect([path, (await directory.ask('GET', path)).status]).toEqual([path, status]);
});

verifies(['M5'], 'a person comes, changes and goes by SCIM, and never gets a role by it', async () => {
  const given = person('Bea.Berg@corp.test', {
    externalId: 'x-1',
    name: { givenName: 'Bea', familyName: 'Berg' },
    emails: [{ value: 'bea@corp.test', type: 'work', primary: true }],
    roles: [{ value: 'owner' }],
    id: 'of-my-choice',
    password: 'never kept anywhere',
    [ENTERPRISE]: { department: 'Ships' },
  });
  const made = await directory.ask('POST', '/Users', given);
  expect(made).toMatchObject({
    status: 201,
    body: {
      userName: 'Bea.Berg@corp.test',
      active: true,
      roles: [{ value: 'member' }],
      [ENTERPRISE]: { department: 'Ships' },
    },
  });
  const { id, meta } = made.body;
  expect([id === 'of-my-choice', made.headers.get('location'), made.headers.get('etag')]).toEqual([
    false,
    meta.location,
    meta.version,
  ]);
  expect(JSON.stringify(made.body)).not.toContain('never kept');
  const { body: people } = await admin.ask('GET', '/v1/team/people');
  expect(people).toContainEqual({
    id,
    name: 'Bea Berg',
    email: 'bea@corp.test',
    role: 'member',
    active: true,
  });
  // Two that differ in case are one; also under the address of somebody else.
  for (const userName of ['bea.berg@CORP.test', 'BEA@corp.test', 'olga@team.test'])
    expect(await directory.ask('POST', '/Users', person(userName))).toMatchObject({
      status: 409,
      body: { status: '409', scimType: 'uniqueness' },
    });
  const other = person(' Bea.Berg@corp.test ', { emails: [{ value: 'other@corp.test' }] });
  expect((await directory.ask('POST', '/Users', other)).status).toBe(409);
  const twins = ['twin@corp.test', 'TWIN@corp.test', 'Twin@corp.test'].map((userName) => person(userName));
  const came = await Promise.all(twins.map((twin) => directory.ask('POST', '/Users', twin)));
  expect(came.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([201, 409, 409]);
  expect(await directory.found('Users', 'userName eq "bea.berg@corp.TEST"')).toEqual(['Bea.Berg@corp.test']);
  expect(await directory.found('Users', 'externalId eq "x-1" and active eq true')).toEqual([
    'Bea.Berg@corp.test',
  ]);
  expect(await directory.found('Users', `externalId eq "X-1"`)).toEqual([]);

  const path = `/Users/${id}`;
  const stale = { 'if-match': meta.version };
  const renamed = await directory.ask(
    'PUT',
    path,
    { ...given, displayName: 'Bea B.', [ENTERPRISE]: undefined },
    stale,
  );
  expect(renamed.body).toMatchObject({ id, displayName: 'Bea B.', active: true });
  expect(renamed.body).not.toHaveProperty([ENTERPRISE]);
  expect(renamed.body.schemas).toEqual([USER]);
  expect((await directory.ask('PUT', path, given, stale)).status).toBe(412);
  const fresh = { 'if-none-match': renamed.body.meta.version };
  expect((await directory.ask('GET', path, undefined, fresh)).status).toBe(304);
  expect((await directory.ask('GET', `${path}?attributes=userName,name.givenName`)).body).toEqual({
    schemas: [USER],
    id,
    userName: 'Bea.Berg@corp.test',
    name: { givenName: 'Bea' },
  });
  expect((await directory.ask('GET', `${path}?excludedAttributes=emails,meta`)).body).not.toHaveProperty(
    'emails',
  );
  expect(
    await directory.patch(path, { op: 'replace', path: 'roles', value: [{ value: 'owner' }] }),
  ).toMatchObject({
    status: 400,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400', scimType: 'mutability' },
  });
  expect(
    (
      await directory.patch(path, {
        op: 'Replace',
        path: 'emails[type eq "work"].value',
        value: 'b2@corp.test',
      })
    ).status,
  ).toBe(200);
  expect((await admin.ask('GET', '/v1/team/people')).body).toContainEqual(
    expect.objectContaining({ id, email: 'b2@corp.test' }),
  );
  expect((await directory.ask('DELETE', path)).status).toBe(204);
  expect((await directory.ask('GET', path)).status).toBe(404);
  expect((await directory.ask('DELETE', path)).status).toBe(404);
  // Their name is free again.
  expect((await directory.ask('POST', '/Users', given)).status).toBe(201);
});

verifies(
  ['M5'],
  'lists come in pages that a directory chooses, people who were invited included',
  async () => {
    for (const n of [1, 2, 3]) await add(`page-${n}@corp.test`, { title: 'Pager' });
    const at = async (query: string) => (await directory.ask('GET', `/Users?${query}`)).body;
    const whole = await at('filter=title%20eq%20%22pager%22');
    expect([whole.totalResults, whole.startIndex, whole.itemsPerPage]).toEqual([3, 1, 3]);
    const [first, second] = [
      await at('count=2&filter=title+pr'),
      await at('startIndex=3&count=2&filter=title+pr'),
    ];
    const names = [...first.Resources, ...second.Resources].map(
      ({ userName }: { userName: string }) => userName,
    );
    expect(names.toSorted()).toEqual(['page-1@corp.test', 'page-2@corp.test', 'page-3@corp.test']);
    expect(await at('count=0')).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect(await at('startIndex=-5&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(await at('count=many')).toMatchObject({ status: '400', scimType: 'invalidValue' });
    expect(await at('filter=userName%20regex%20%22.%22')).toMatchObject({
      status: '400',
      scimType: 'invalidFilter',
    });
    expect(await directory.found('Users', 'userName eq "OLGA@team.test"')).toEqual(['olga@team.test']);
    const search = { filter: 'title pr', count: 1, attributes: ['userName'] };
    const searched = await directory.ask('POST', '/Users/.search', search);
    expect(searched.body).toMatchObject({ totalResults: 3, itemsPerPage: 1 });
    expect(Object.keys(searched.body.Resources[0])).toEqual(['userName', 'schemas', 'id']);
  },
);

verifies(['M5', 'M6'], 'groups of the directory are groups of the team, and rules follow them', async () => {
  const [one, two] = [await add('g1@corp.test'), await add('g2@corp.test')];
  const members = [{ value: one, type: 'User' }];
  const made = await directory.ask('POST', '/Groups', {
    schemas: [GROUP],
    displayName: 'Crew',
    externalId: 'g-1',
    members,
  });
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Crew', members: [{ value: one }] } });
  const path = `/Groups/${made.body.id}`;
  const groupsOf = async (id: string) => (await directory.ask('GET', `/Users/${id}`)).body.groups;
  expect(await groupsOf(one)).toMatchObject([{ value: made.body.id, display: 'Crew' }]);
  expect(await directory.found('Groups', 'displayName eq "crew"')).toEqual(['Crew']);
  expect(await directory.found('Groups', `members[value eq "${one}"]`)).toEqual(['Crew']);
  expect(await directory.found('Users', `groups.display eq "Crew"`)).toEqual(['g1@corp.test']);
  // At once, as directories do: no member is lost.
  const all = await Promise.all([
    directory.patch(path, { op: 'add', path: 'members', value: [{ value: two }] }),
    directory.patch(path, { op: 'replace', value: { displayName: 'Deck', id: made.body.id } }),
    directory.patch(path, { op: 'Remove', path: `members[value eq "${one}"]` }),
  ]);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body: groups } = await admin.ask('GET', '/v1/team/groups');
  expect(groups).toMatchObject([{ name: 'Deck', members: [two], externalId: 'g-1' }]);
  expect((await directory.ask('GET', `${path}?excludedAttributes=members`)).body).not.toHaveProperty(
    'members',
  );
  // More than are written in one go.
  await world.sql(`insert into plugboard_people."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    select 'many' || i, 'Many', 'many' || i || '@corp.test', true, now(), now() from generate_series(1, 600) i`);
  await world.sql(`insert into plugboard_people.member (id, "userId", "organizationId", role, "createdAt")
    select 'many' || i, 'many' || i, (select id from plugboard_people.organization), 'member', now()
    from generate_series(1, 600) i`);
  const crowd = Array.from({ length: 600 }, (_, index) => ({ value: `many${index + 1}` }));
  await directory.patch(path, { op: 'add', path: 'members', value: crowd });
  const inside = (await directory.ask('GET', path)).body.members;
  expect(inside).toHaveLength(601);
  await directory.patch(path, { op: 'remove', path: 'members[value sw "many"]' });
  expect((await directory.ask('GET', path)).body.members).toMatchObject([{ value: two }]);
  await world.sql(`delete from plugboard_people."user" where id like 'many%'`);
  const bad: readonly (readonly [object, number])[] = [
    [{ op: 'add', path: 'members', value: [{ value: 'of another team' }] }, 400],
    [{ op: 'remove', path: 'displayName' }, 400],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(200) }, 400],
  ];
  for (const [operation, status] of bad) expect((await directory.patch(path, operation)).status).toBe(status);
  expect((await directory.ask('POST', '/Groups', { displayName: 'Deck' })).body.scimType).toBe('uniqueness');
  expect((await directory.patch(path, { op: 'remove', path: 'members' })).body).not.toHaveProperty('members');
  expect((await directory.ask('DELETE', path)).status).toBe(204);
  expect((await directory.ask('GET', path)).status).toBe(404);
});

verifies(
  ['M5', 'M1'],
  'who is deactivated by SCIM has nothing that opens, then or when they are back',
  async () => {
    const { url } = world.team;
    const away = await world.invited('member', 'ada');
    const { body } = await away.ask('POST', '/v1/team/keys', { name: 'claude' });
    const key = { authorization: `Bearer ${body.key}` };
    const opens = async (): Promise<number> => (await asking(url, 'POST', '/mcp', key, {})).status;
    expect(await opens()).not.toBe(401);
    const path = `/Users/${away.id}`;
    expect((await directory.patch(path, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    );
    expect([(await away.ask('GET', '/v1/servers')).status, await opens()]).toEqual([401, 401]);
    await expect(world.signIn('ada@team.test')).rejects.toThrow('not signed in');
    // A sign-in that was on its way leaves a session behind: it opens nothing, and is gone afterwards.
    const session = `insert into plugboard_people.session (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
    values ('late', '${away.id}', 'late', now() + interval '1 day', now(), now())`;
    await world.sql(session);
    // What says nothing about it changes nothing about it.
    const same = (await directory.ask('PUT', path, person('ada@team.test', { title: 'Captain' }))).body;
    expect(same).toMatchObject({ active: false, title: 'Captain' });
    expect((await directory.patch(path, { op: 'add', value: { active: true } })).body.active).toBe(true);
    expect(await world.sql(`select id from plugboard_people.session where "userId" = '${away.id}'`)).toEqual(
      [],
    );
    expect([(await away.ask('GET', '/v1/servers')).status, await opens()]).toEqual([401, 401]);
    expect((await (await world.signIn('ada@team.test')).ask('GET', '/v1/team/me')).status).toBe(200);
  },
);

verifies(['M5'], 'only a token that an admin has made, and has not revoked, opens it', async () => {
  const { url } = world.team;
  const status = async (token: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    (await askScim(url, token, 'GET', '/Users', undefined, headers)).status;
  const helper = await world.invited('admin', 'hana');
  const own = await directoryOf(helper, url);
  const { body: listed } = await admin.ask('GET', '/v1/team/directory-tokens');
  expect(listed).toContainEqual(
    expect.objectContaining({ id: own.tokenId, name: 'directory', by: helper.id }),
  );
  expect(JSON.stringify(listed)).not.toContain(own.token);
  const kept = JSON.stringify(await world.sql('select * from plugboard_people."directoryToken"'));
  expect(kept).toContain(own.tokenId);
  expect(kept).not.toContain(own.token.slice(-20));
  const { body: key } = await helper.ask('POST', '/v1/team/keys', { name: 'claude' });
  expect(await status(own.token)).toBe(200);
  // Neither a session nor a host's key is one, nor does it open anything else.
  expect(await status('', { cookie: helper.cookie })).toBe(401);
  expect(await status(key.key)).toBe(401);
  const bearer = { authorization: `Bearer ${own.token}` };
  for (const path of ['/v1/servers', '/v1/team/people', '/v1/team/directory-tokens'])
    expect([path, (await asking(url, 'GET', path, bearer)).status]).toEqual([path, 401]);
  expect((await asking(url, 'POST', '/mcp', bearer, {})).status).toBe(401);
  // It ends with what its maker may do, and comes back with it.
  await world.owner.ask('PUT', `/v1/team/people/${helper.id}`, { role: 'member' });
  expect(await status(own.token)).toBe(401);
  await world.owner.ask('PUT', `/v1/team/people/${helper.id}`, { role: 'admin' });
  expect(await status(own.token)).toBe(200);
  expect((await admin.ask('DELETE', `/v1/team/directory-tokens/${own.tokenId}`)).status).toBe(204);
  expect(await status(own.token)).toBe(401);
  const error = await askScim(url, own.token, 'GET', '/Users');
  expect([error.body.status, error.headers.get('www-authenticate')]).toEqual([
    '401',
    'Bearer realm="plugboard"',
  ]);
});

verifies(['M5'], 'what is too large, too deep or no JSON is refused before anything is done', async () => {
  const { url } = world.team;
  const send = async (body: string | ReadableStream): Promise<number> => {
    const headers = { authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json' };
    const given: RequestInit = { method: 'POST', headers, body };
    if (typeof body !== 'string') Object.assign(given, { duplex: 'half' });
    return (await fetch(`${url}/scim/v2/Users`, given)).status;
  };
  expect(await send('{')).toBe(400);
  expect(await send('[]')).toBe(400);
  expect(await send(`{"name":${'{"name":'.repeat(5_000)}1${'}'.repeat(5_000)}}`)).toBe(400);
  expect(await send(`{"userName":"${'x'.repeat(3_000_000)}"}`).catch(() => 413)).toBe(413);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (into) => {
      sent += 65_536;
      into.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  expect(await send(endless).catch(() => 413)).toBe(413);
  expect(sent).toBeLessThan(64_000_000);
  const many = Array.from({ length: 201 }, () => ({ op: 'add', path: 'title', value: 'x' }));
  expect((await directory.patch(`/Users/${admin.id}`, ...many)).body.scimType).toBe('tooMany');
  const long = { photos: Array.from({ length: 50 }, () => ({ value: 'x'.repeat(1_000) })) };
  expect((await directory.ask('POST', '/Users', person('long@corp.test', long))).body.scimType).toBe(
    'invalidValue',
  );
  expect((await directory.ask('POST', '/Users', person('no address'))).body.scimType).toBe('invalidValue');
});

verifies(
  ['M5'],
  'a directory neither takes the last owner away nor becomes more than who made its token',
  async () => {
    const owner = `/Users/${world.owner.id}`;
    const off = { op: 'replace', path: 'active', value: false };
    expect(await directory.patch(owner, off)).toMatchObject({ status: 403, body: { status: '403' } });
    expect((await directory.ask('DELETE', owner)).status).toBe(403);
    const other = await world.invited('owner', 'otto');
    // An admin's token: not even the address, by which they could sign in as the owner.
    const mine = [{ op: 'replace', path: 'emails', value: [{ value: 'anna2@team.test' }] }];
    expect((await ofAdmin.patch(owner, ...mine)).status).toBe(403);
    expect((await ofAdmin.patch(`/Users/${other.id}`, off)).status).toBe(403);
    expect((await ofAdmin.ask('DELETE', `/Users/${other.id}`)).status).toBe(403);
    expect((await world.owner.ask('GET', '/v1/team/me')).body).toMatchObject({
      email: 'olga@team.test',
      active: true,
    });
    // Two owners who go at once leave one.
    const gone = await Promise.all([directory.patch(owner, off), directory.patch(`/Users/${other.id}`, off)]);
    expect(gone.filter(({ status }) => status === 200)).toHaveLength(1);
    const { body: people } = await admin.ask('GET', '/v1/team/people');
    const left = people.filter(
      (one: { role: string; active: boolean }) => one.role === 'owner' && one.active,
    );
    expect(left).toHaveLength(1);
  },
);
