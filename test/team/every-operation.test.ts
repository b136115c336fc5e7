import { Client } from 'pg';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { operationNames, routedOperations, type OperationName } from '../../src/api/routes.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { TEAM_ROLES, type Space, type TeamRole } from '../../src/hub/principal.ts';
import { ACCESS, type Access } from '../../src/hub/team-access.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { CALLERS } from '../../src/team/operations/operation.ts';
import { TEAM_OPERATIONS } from '../../src/team/operations/table.ts';
import { shared } from '../suite/run-resources.ts';
import { inputsOf } from '../contracts/generate-input.ts';
import { verifies } from '../requirements.ts';
import { askAs } from './asked-as.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';
import { asking, definitionOf, openTeam, type Answer, type Member, type TeamWorld } from './team-world.ts';

let counting: CountingServer;
let world: TeamWorld;
let people: Readonly<Record<TeamRole, Member>>;
let stranger: Member;
let host: Readonly<Record<string, string>>;
let theirs: Theirs;

beforeAll(async () => {
  counting = await startCountingServer();
  world = await openTeam();
  people = {
    owner: world.owner,
    admin: await world.invited('admin', 'anna'),
    member: await world.invited('member', 'mira'),
    auditor: await world.invited('auditor', 'udo'),
  };
  stranger = await world.invited('member', 'omar');
  const key = await people.member.ask('POST', '/v1/team/keys', { name: 'claude' });
  host = { authorization: `Bearer ${key.body.key}` };
  theirs = await fill(people.member, key.body.id);
}, 200_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await counting[Symbol.asyncDispose]();
});

/** What each kind of access means, said once more: the table of the hub is what is tested. */
const MAY: Readonly<Record<Access, Readonly<Record<TeamRole, readonly Space[]>>>> = {
  use: { owner: ['own', 'team'], admin: ['own', 'team'], member: ['own'], auditor: [] },
  look: { owner: ['own', 'team'], admin: ['own', 'team'], member: ['own'], auditor: ['own', 'team'] },
  records: { owner: ['own'], admin: ['own'], member: ['own'], auditor: ['own', 'team', 'other'] },
  never: { owner: [], admin: [], member: [], auditor: [] },
};

verifies(['M1', 'M6'], 'every operation is open to its roles in their spaces, and to no other', async () => {
  const { url } = world.team;
  const spaces: Readonly<Record<Space, Readonly<Record<string, string>>>> = {
    own: {},
    team: { 'plug-space': 'team' },
    other: { 'plug-space': `person:${people.member.id}` },
  };
  // A field that no operation knows: what is allowed says so, and does nothing.
  const ask = (name: OperationName, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    askAs(url, routedOperations[name], headers, { unheardOf: 'x' });
  for (const name of operationNames) {
    // The listener of the team answers this one before it looks who asks.
    if (name === 'health') continue;
    for (const role of TEAM_ROLES) {
      const { cookie } = people[role];
      for (const space of ['own', 'team', 'other'] as const) {
        const { body } = await ask(name, { cookie, ...spaces[space] });
        const isHidden = space === 'other' && role !== 'auditor';
        // Before it is looked at what is asked: once is enough.
        if (isHidden && name !== operationNames[1]) continue;
        const isOpen = MAY[ACCESS[name]][role].includes(space);
        const code = isHidden ? 'not_found' : isOpen ? 'usage' : 'denied';
        expect([name, role, space, body.error.code]).toEqual([name, role, space, code]);
      }
    }
    expect
      .soft([name, (await ask(name, host)).status, (await ask(name, {})).status])
      .toEqual([name, 403, 401]);
  }
});

verifies(['M1', 'M6'], 'every request about the team is open to its roles and to no other', async () => {
  const { url } = world.team;
  for (const [name, { roles: allowed }] of Object.entries(TEAM_OPERATIONS)) {
    const [method = '', place = ''] = name.split(' ');
    const path = place.replace(':id', 'nobody');
    const hasBody = method === 'POST' || method === 'PUT';
    const body = hasBody ? {} : undefined;
    for (const role of TEAM_ROLES) {
      const isAllowed = allowed.includes(role);
      // A field that none of them knows: what is allowed says so, and does nothing.
      const odd = await people[role].ask(
        method,
        `${path}?unheardOf=x`,
        hasBody ? { unheardOf: 'x' } : undefined,
      );
      expect([name, role, odd.body.error.code]).toEqual([name, role, isAllowed ? 'usage' : 'denied']);
      const { status } = await people[role].ask(method, path, body);
      // What is not there is not there for everybody.
      if (isAllowed && place.includes(':id'))
        expect([name, role, [400, 404].includes(status)]).toEqual([name, role, true]);
    }
    expect([name, (await asking(url, method, path, {}, body)).status]).toEqual([name, 401]);
    expect([name, (await asking(url, method, path, host, body)).status]).toEqual([name, 403]);
  }
});

verifies(['M1'], 'every id of another person answers like one that never existed', async () => {
  const before = await seen(people.member);
  expect(await askedFor(stranger)).toBeGreaterThan(150);
  expect(await seen(people.member)).toEqual(before);
});

verifies(
  ['M1'],
  'without a condition of ours in any statement, the database alone keeps people apart',
  async () => {
    const before = await seen(people.member);
    const next = await world.invited('member', 'olaf');
    let changed = 0;
    // oxlint-disable-next-line typescript/unbound-method -- called with its own receiver
    const { query } = Client.prototype;
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...given) {
      const [text, ...rest] = given as unknown as readonly unknown[];
      const open =
        typeof text === 'string'
          ? text.replaceAll(OWNED, (_, __, place: string) => `${place}::text is not null`)
          : text;
      if (open !== text) changed += 1;
      return Reflect.apply(query, this, [open, ...rest]) as never;
    });
    try {
      // Where no policy holds, such a statement shows everything: so the conditions are really gone.
      const superuser = Object.assign(new URL(await shared('database')), {
        pathname: new URL(world.database).pathname,
      });
      const above = await openPostgres(superuser.href, { clock: systemClock, ids: systemIds });
      try {
        expect((await above.servers.listServers('person:nobody')).map(({ id }) => id)).toContain('mine');
      } finally {
        await above.close();
      }
      changed = 0;
      expect(await askedFor(next)).toBeGreaterThan(150);
      expect((await next.ask('GET', '/v1/servers')).body.servers).toEqual([]);
      expect(changed).toBeGreaterThan(50);
    } finally {
      spy.mockRestore();
    }
    expect(await seen(people.member)).toEqual(before);
  },
);

/** As the stores write the owner into every statement. */
const OWNED = /("?)\bowner\1 = (\$\d+)/g;

interface Theirs {
  /** Ids that the hub has made, by what they are of. */
  readonly made: Readonly<Record<string, string>>;
  /** For what belongs to no kind above. */
  readonly named: Readonly<Record<string, string>>;
}

/** Something of every kind that has an id. */
async function fill(member: Member, key: string): Promise<Theirs> {
  const did = async (method: string, path: string, input?: object): Promise<Answer['body']> => {
    const { status, body } = await member.ask(method, path, input);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  await did('PUT', '/v1/secrets', { name: 'mine/TOKEN', value: 'canary-of-mira' });
  const headers = { 'x-token': '${vault:mine/TOKEN}' };
  const endpoint = { kind: 'http', url: counting.url, headers };
  await did('POST', '/v1/servers', { definition: definitionOf('mine', endpoint), test: false });
  await did('PUT', '/v1/profiles/work-of-mira', { servers: ['mine'] });
  await did('POST', '/v1/servers/mine/start');
  const grant = await did('POST', '/v1/grants', { tool: 'mine/get_number' });
  const large = await did('POST', '/v1/calls', { tool: 'mine/get_number', args: { n: -1 } });
  const waiting = member.ask(
    'POST',
    '/v1/calls',
    { tool: 'mine/add_number', args: { n: 1 }, approval: 'wait' },
    { 'plug-client': 'library.of-mira-1' },
  );
  waiting.catch(() => undefined);
  await vi.waitUntil(async () => (await member.ask('GET', '/v1/approvals')).body.length === 1, {
    timeout: 60_000,
  });
  const [approval] = await did('GET', '/v1/approvals');
  const attached = await did('POST', '/v1/hosts', { name: 'face', answers: ['elicitation'] });
  const promotion = await did('POST', '/v1/team/promotions', { server: 'mine' });
  const [change] = await did('GET', '/v1/changes');
  const { records } = await did('GET', '/v1/audit');
  const group = await world.owner.ask('POST', '/v1/team/groups', { name: 'crew', members: [] });
  return {
    made: {
      grant: grant.id,
      result: large.handle.id,
      approval: approval.id,
      batch: approval.batch,
      host: attached.id,
      change: change.id,
      call: records[0].callId,
      key,
      promotion: promotion.id,
      group: group.body.id,
      person: member.id,
      argsHash: approval.argsHash,
    },
    named: { server: 'mine', tool: 'mine/get_number', secret: 'mine/TOKEN', profile: 'work-of-mira' },
  };
}

/** Whose ids a field of this name takes; one in an address that is not here takes all that the hub has made. */
function idsFor(name: OperationName, field: string): readonly string[] | undefined {
  const { made, named } = theirs;
  if (field === 'id' && name.startsWith('servers.')) return [named['server'] ?? ''];
  if (['server', 'ids'].includes(field)) return [named['server'] ?? ''];
  if (['tool', 'ref'].includes(field)) return [named['tool'] ?? '', named['server'] ?? ''];
  if (['name', 'profile', 'account'].includes(field)) return Object.values(named);
  if (['id', 'batch', 'host', 'change', 'plan', 'requestId', 'cursor'].includes(field))
    return Object.values(made);
  return undefined;
}

/** What requests about the team need before they look for an id. */
const BODY = { effect: 'allow', argsHash: 'of nothing' };

/** Beside the ids: what the operations otherwise take, so that they get as far as looking for them. */
const KNOWN = { approval: 'refuse', effect: 'allow', page: 1, path: '$', task: undefined };

/** Asks every operation for every id, and for one like it that never existed. Answers how many were asked. */
async function askedFor({ cookie }: Member): Promise<number> {
  const { url } = world.team;
  let asked = 0;
  const compare = async (
    what: readonly string[],
    id: string,
    ask: (id: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const never = neverWas(id);
    const [real, none] = [await ask(id), await ask(never)];
    const shown = (answer: Answer, of: string): string =>
      [of, ...of.split('/')]
        .reduce((text, part) => text.replaceAll(part, 'ID'), JSON.stringify(answer))
        .replaceAll(DRAWN, 'DRAWN');
    expect([...what, id, shown(real, id)]).toEqual([...what, id, shown(none, never)]);
    expect(JSON.stringify(real)).not.toMatch(CANARIES);
    asked += 1;
    return real;
  };
  for (const name of operationNames) {
    const row = routedOperations[name];
    if (!MAY[ACCESS[name]].member.includes('own')) continue;
    const { minimal, full } = inputsOf(row, KNOWN) as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    for (const field of Object.keys(full ?? {})) {
      const isPlace = row.route.path.includes(`:${field}`);
      const ids = idsFor(name, field) ?? (isPlace ? Object.values(theirs.made) : []);
      for (const id of ids) {
        const answer = await compare([name, field], id, (of) =>
          askAs(url, row, { cookie }, { ...minimal, [field]: Array.isArray(full?.[field]) ? [of] : of }),
        );
        if (isPlace && field === 'id')
          expect([name, id, answer.body?.error?.code]).toEqual([name, id, 'not_found']);
      }
    }
  }
  for (const [name, { roles }] of Object.entries(TEAM_OPERATIONS)) {
    const [method = '', place = ''] = name.split(' ');
    if (!place.includes(':id') || !CALLERS.every((role) => roles.includes(role))) continue;
    for (const id of Object.values(theirs.made)) {
      const { status } = await compare([name], id, (of) =>
        asking(url, method, place.replace(':id', of), { cookie }, method === 'DELETE' ? undefined : BODY),
      );
      expect([name, id, status]).toEqual([name, id, 404]);
    }
  }
  return asked;
}

/** Of the same length and alphabet. */
function neverWas(id: string): string {
  return id.replaceAll(/[a-z]/gi, (letter) => ROTATED.charAt(LETTERS.indexOf(letter)));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ROTATED = 'nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM';

/** Times and ids that differ between any two answers. */
const DRAWN = /\b[a-z]+_[\w-]{16,}|\b1[0-9]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const CANARIES = /canary-of-mira|mira@team|127\.0\.0\.1:\d+\/mcp/;

/** What somebody has, as they see it. */
async function seen(who: Member): Promise<string> {
  const areas = ['grants', 'approvals', 'results', 'profiles', 'secrets', 'accounts', 'changes', 'tools'];
  const paths = [
    ...areas.map((area) => `/v1/${area}`),
    '/v1/team/keys',
    '/v1/team/apps',
    '/v1/team/promotions',
  ];
  const lists = await Promise.all(paths.map(async (path) => [path, (await who.ask('GET', path)).body]));
  const { body } = await who.ask('GET', '/v1/servers/mine/definition');
  // Tokens are counted beside all else, and are there a moment later.
  return JSON.stringify([...lists, body], (key, value: unknown) => (key === 'tokens' ? undefined : value), 1);
}
