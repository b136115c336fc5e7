import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { loadTeam } from '../../src/team/load-team.ts';
import { runTeam } from '../../src/team/run-team.ts';
import { shared } from '../suite/run-resources.ts';
import { copied } from '../contracts/ordinary-role.ts';
import { startCountingServer } from './counting-server.ts';
import { asking, KEYS, openTeam, post, PASSWORD, type Member, type TeamWorld } from './team-world.ts';

let world: TeamWorld;
let admin: Member;
let member: Member;
let other: Member;
let auditor: Member;
beforeAll(async () => {
  world = await openTeam();
  admin = await world.invited('admin', 'anna');
  member = await world.invited('member', 'mira');
  other = await world.invited('member', 'omar');
  auditor = await world.invited('auditor', 'udo');
}, 200_000);
afterAll(() => world[Symbol.asyncDispose]());

const server = (id: string): object => ({
  definition: {
    id,
    name: id,
    endpoint: { kind: 'http', url: 'https://mcp.example.com/', headers: {} },
    auth: 'none',
    enabled: false,
    source: { kind: 'manual' },
    config: {},
    timeouts: {},
    tools: {},
    readOnly: false,
    keepAlive: false,
    sharing: 'auto',
    extra: {},
  },
  test: false,
});
const TEAM = { 'plug-space': 'team' };
const idsOf = async (who: Member): Promise<readonly string[]> =>
  (await who.ask('GET', '/v1/servers')).body.servers.map(({ id }: { readonly id: string }) => id).toSorted();

verifies(['M1'], 'an admin shares a server with everybody; what a member adds is theirs alone', async () => {
  expect((await member.ask('POST', '/v1/servers', server('wiki'), TEAM)).status).toBe(403);
  expect((await admin.ask('POST', '/v1/servers', server('wiki'), TEAM)).status).toBe(200);
  expect((await member.ask('POST', '/v1/servers', server('mine'))).status).toBe(200);
  expect(await idsOf(member)).toEqual(['mine', 'wiki']);
  expect(await idsOf(other)).toEqual(['wiki']);
  expect((await other.ask('GET', '/v1/servers/mine')).body.error.code).toBe('not_found');
  expect((await admin.ask('GET', '/v1/servers/mine')).body.error.code).toBe('not_found');
  expect((await admin.ask('GET', '/v1/servers/mine', undefined, TEAM)).body.error.code).toBe('not_found');
});

verifies(
  ['M2', 'S10'],
  'a member adds a remote server by what they paste; what would be a program is declined, whatever it is called',
  async () => {
    await using counting = await startCountingServer();
    const made = async (text: string): Promise<{ plans: { plan: string }[]; declined: { code: string }[] }> =>
      (await member.ask('POST', '/v1/plans', { text, offline: true })).body;
    for (const text of [
      'npx -y @acme/mcp',
      'https://www.npmjs.com/package/@acme/mcp',
      'playwright',
      '{ "mcpServers": { "files": { "command": "cat", "args": ["/etc/passwd"] } } }',
      'file:///etc/passwd',
    ]) {
      const { plans, declined } = await made(text);
      expect([text, plans, declined.map(({ code }) => code)]).toEqual([text, [], ['denied']]);
    }
    const pasted = (url: string): Promise<{ plans: { plan: string }[] }> =>
      made(JSON.stringify({ mcpServers: { pasted: { url, headers: { 'x-token': 'canary-of-mira' } } } }));
    const install = async (url: string): ReturnType<Member['ask']> => {
      const [plan] = (await pasted(url)).plans;
      return await member.ask('POST', `/v1/plans/${plan?.plan}/install`, {});
    };
    expect((await install('http://10.0.0.1/mcp')).body.error.code).toBe('denied');
    expect(await idsOf(member)).not.toContain('pasted');
    const added = await install(counting.url);
    expect([added.status, added.body.tested, await idsOf(member)]).toEqual([
      200,
      true,
      expect.arrayContaining(['pasted']),
    ]);
    // The key is sealed, and no other person's rows have any of it.
    expect(JSON.stringify((await member.ask('GET', '/v1/servers/pasted/definition')).body)).not.toMatch(
      /canary/,
    );
    expect(await idsOf(other)).not.toContain('pasted');
    expect(
      (await other.ask('POST', `/v1/plans/${(await pasted(counting.url)).plans[0]?.plan}/install`, {}))
        .status,
    ).toBe(404);
    expect((await auditor.ask('POST', '/v1/plans', { text: counting.url })).status).toBe(403);
    // A variable of the hub is a text like any other.
    const [stolen] = (await pasted(`${counting.url}?key=\${PLUG_MASTER_KEY}`)).plans;
    await member.ask('POST', `/v1/plans/${stolen?.plan}/install`, { id: 'stolen' });
    const { body } = await member.ask('GET', '/v1/servers/stolen');
    expect(JSON.stringify(body)).not.toContain(KEYS.PLUG_MASTER_KEY);
  },
);

verifies(['M6'], 'only an auditor reads the records of others, and nothing else of theirs', async () => {
  const of = { 'plug-space': `person:${member.id}` };
  expect((await auditor.ask('GET', '/v1/audit', undefined, of)).status).toBe(200);
  expect((await auditor.ask('GET', '/v1/servers', undefined, of)).body.error.code).toBe('denied');
  for (const who of [admin, other, world.owner]) {
    expect((await who.ask('GET', '/v1/audit', undefined, of)).body.error.code).toBe('not_found');
  }
});

verifies(['M1'], 'a set-up link and an invitation are good once', async () => {
  const again = { name: 'Eve', email: 'eve@team.test', password: PASSWORD };
  expect(await post(world.team.setUpLink ?? '', again)).toBe(404);
  const { body } = await admin.ask('POST', '/v1/team/invitations', {
    email: 'ivo@team.test',
    role: 'member',
  });
  const joined = await Promise.all(
    [1, 2].map((n) => post(body.url, { name: `Ivo ${n}`, password: PASSWORD })),
  );
  expect(joined.toSorted((one, next) => one - next)).toEqual([303, 404]);
});

verifies(['M1'], 'admins make no owners, and members neither invite nor see who is there', async () => {
  const invite = (who: Member, role: string) =>
    who.ask('POST', '/v1/team/invitations', { email: 'x@team.test', role });
  expect((await invite(admin, 'owner')).body.error.code).toBe('denied');
  expect((await invite(member, 'member')).body.error.code).toBe('denied');
  expect((await auditor.ask('PUT', `/v1/team/people/${auditor.id}`, { role: 'owner' })).status).toBe(403);
  expect((await admin.ask('DELETE', `/v1/team/people/${world.owner.id}`)).body.error.code).toBe('denied');
  expect((await member.ask('GET', '/v1/team/people')).body.error.code).toBe('denied');
});

verifies(
  ['M1'],
  'what the database does in the name of an owner finds no session, password, key or token of anybody',
  async () => {
    const client = new Client(world.database);
    await client.connect();
    try {
      const tables = await client.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'plugboard_people'`,
      );
      const seen = async (): Promise<number> => {
        const counts = tables.rows.map(({ name }) => `(select count(*) from plugboard_people."${name}")`);
        const { rows } = await client.query<{ all: string }>(`select ${counts.join(' + ')} as all`);
        return Number(rows[0]?.all);
      };
      expect([tables.rows.length > 15, (await seen()) > 10]).toEqual([true, true]);
      for (const owner of [`person:${member.id}`, 'team']) {
        await client.query('begin');
        await client.query(`select set_config('app.owner', $1, true)`, [owner]);
        expect([owner, await seen()]).toEqual([owner, 0]);
        const made = client.query(
          `insert into plugboard_people.member (id, "organizationId", "userId", role, "createdAt")
            select 'x', 'x', $1, 'owner', now()`,
          [member.id],
        );
        await expect(made).rejects.toMatchObject({ code: '42501' });
        await client.query('rollback');
      }
      expect(await seen()).toBeGreaterThan(10);
    } finally {
      await client.end();
    }
  },
);

verifies(['M1'], 'the doors of the library that nobody needs are shut', async () => {
  const { url } = world.team;
  const paths = ['sign-up/email', 'organization/create', 'organization/invite-member', 'api-key/create'];
  for (const path of [...paths, 'organization/accept-invitation', 'list-sessions', 'update-user']) {
    expect([path, (await member.ask('POST', `/api/auth/${path}`, {})).status]).toEqual([path, 404]);
  }
  const foreign = { cookie: member.cookie, origin: 'https://evil.test' };
  expect((await asking(url, 'GET', '/v1/servers', foreign)).status).toBe(403);
  const silent = await fetch(`${url}/v1/team/keys`, { method: 'POST', headers: { cookie: member.cookie } });
  expect(silent.status).toBe(403);
});

verifies(['M4', 'M5'], 'a key opens the gateway for a host, and ends with the person', async () => {
  const { url } = world.team;
  const leaver = await world.invited('member', 'lea');
  const { body } = await leaver.ask('POST', '/v1/team/keys', { name: 'claude' });
  const headers = { authorization: `Bearer ${body.key}` };
  // It opens the gateway alone: a host can't answer its own approvals.
  for (const path of ['/v1/servers', '/v1/approvals', '/v1/team/keys'])
    expect([path, (await asking(url, 'GET', path, headers)).status]).toEqual([path, 403]);
  const clientInfo = { name: 'host', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const initialize = async (): Promise<number> =>
    (
      await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      })
    ).status;
  expect(await initialize()).toBe(200);
  expect((await admin.ask('DELETE', `/v1/team/people/${leaver.id}`)).status).toBe(204);
  expect(await initialize()).toBe(401);
  expect((await asking(url, 'GET', '/v1/servers', headers)).status).toBe(401);
  expect((await leaver.ask('GET', '/v1/servers')).status).toBe(401);
});

verifies(['M1'], 'a team that cannot start says what it lacks, and opens nothing', async () => {
  const start = (more: object): Promise<unknown> => runTeam({ ...world.options, ...more });
  await expect(start({ database: undefined })).rejects.toMatchObject({ code: 'usage', owner: 'you' });
  await expect(start({ database: 'mysql://host/db' })).rejects.toMatchObject({ code: 'usage' });
  for (const variable of ['PLUG_TEAM_SECRET', 'PLUG_MASTER_KEY']) {
    const lacking = start({ env: { ...KEYS, [variable]: '' } });
    await expect(lacking).rejects.toMatchObject({
      code: 'bad_config',
      remedy: { text: expect.stringContaining(variable) },
    });
  }
  // This one's data folder is in use.
  await expect(start({})).rejects.toMatchObject({ code: 'already_exists' });
  const elsewhere = `${world.options.paths.data}/other`;
  const paths = { config: elsewhere, data: elsewhere, state: elsewhere };
  await expect(start({ paths, database: await shared('database') })).rejects.toMatchObject({
    code: 'bad_config', // its role is above row-level security
  });
  const missing = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadTeam(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 'bad_config',
    remedy: { do: 'run', line: expect.stringMatching(/^npm install .*better-auth@/) },
  });
});

verifies(['M1'], 'a wrong password and a foreign page sign nobody in', async () => {
  const { url } = world.team;
  const given = { email: 'olga@team.test', password: PASSWORD };
  const tried = async (body: object, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await asking(url, 'POST', '/api/auth/sign-in/email', headers, body)).status;
  expect(await tried({ ...given, password: 'not the right one' }, {})).toBe(401);
  expect(await tried(given, { origin: 'https://evil.test' })).toBe(403);
});

verifies(
  ['M1', 'H5'],
  'a copy of the database and the two keys are all of a team: elsewhere it goes on as it was',
  async () => {
    await using counting = await startCountingServer();
    await using first = await openTeam();
    const mira = await first.invited('member', 'mira');
    const secret = { name: 'count/TOKEN', value: 'only-in-the-vault' };
    expect((await mira.ask('PUT', '/v1/secrets', secret)).status).toBe(204);
    const endpoint = { kind: 'http', url: counting.url, headers: { 'x-token': '${vault:count/TOKEN}' } };
    const { definition } = server('count') as { readonly definition: object };
    const added = { definition: { ...definition, endpoint, enabled: true }, test: false };
    expect((await mira.ask('POST', '/v1/servers', added)).status).toBe(200);
    await mira.ask('PUT', '/v1/policy/defaults', { call: { write: 'allow' } });
    const call = { tool: 'count/add_number', args: { n: 1 } };
    expect((await mira.ask('POST', '/v1/calls', call)).status).toBe(200);
    const { body } = await mira.ask('POST', '/v1/team/keys', { name: 'claude' });
    await first.team.close();

    const copy = await copied(first.database);
    const elsewhere = await mkdtemp(join(tmpdir(), 'plug-restored-'));
    const paths = { config: elsewhere, data: elsewhere, state: elsewhere };
    await using restored = await runTeam({ ...first.options, database: copy, paths });
    expect(restored.setUpLink).toBeUndefined();
    const ask = (method: string, path: string, given?: object, headers: object = { cookie: mira.cookie }) =>
      asking(restored.url, method, path, { ...headers }, given);
    expect((await ask('POST', '/v1/calls', { ...call, args: { n: 2 } })).status).toBe(200);
    expect(counting.tokens).toEqual(new Set(['only-in-the-vault']));
    expect((await ask('GET', '/v1/audit')).body.records).toHaveLength(2);
    expect((await ask('GET', '/v1/audit/verify')).body).toMatchObject({ intact: true, records: 2 });
    const key = { authorization: `Bearer ${body.key}`, accept: 'application/json, text/event-stream' };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'h', version: '1' },
    };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const opened = await fetch(`${restored.url}/mcp`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify(initialize),
    });
    expect(opened.status).toBe(200);
    await restored.close();
    await rm(elsewhere, { recursive: true, force: true });
  },
);

verifies(['M1'], 'a team that starts again is set up already, and logged nothing on the way', async () => {
  await using again = await openTeam();
  await again.team.close();
  await using restarted = await runTeam(again.options);
  expect(restarted.setUpLink).toBeUndefined();
  expect(again.logged).toEqual([]);
  const credentials = { email: 'olga@team.test', password: PASSWORD };
  const answer = await asking(restarted.url, 'POST', '/api/auth/sign-in/email', {}, credentials);
  expect(answer.status).toBe(200);
});

verifies(
  ['M1', 'M5'],
  'who is deactivated has no session and no key any more, and none comes back',
  async () => {
    const { url } = world.team;
    const away = await world.invited('member', 'ada');
    const { body } = await away.ask('POST', '/v1/team/keys', { name: 'claude' });
    const headers = { authorization: `Bearer ${body.key}` };
    const opens = async (): Promise<number> => (await asking(url, 'POST', '/mcp', headers, {})).status;
    expect(await opens()).not.toBe(401);
    const set = (active: boolean) => admin.ask('PUT', `/v1/team/people/${away.id}`, { active });
    expect((await set(false)).body).toMatchObject({ active: false });
    expect((await away.ask('GET', '/v1/servers')).status).toBe(401);
    expect(await opens()).toBe(401);
    await expect(world.signIn('ada@team.test')).rejects.toThrow('not signed in');
    expect((await set(true)).status).toBe(200);
    expect(await opens()).toBe(401);
    expect((await (await world.signIn('ada@team.test')).ask('GET', '/v1/team/me')).status).toBe(200);
  },
);
