import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';
import { definitionOf, openTeam, type Answer, type Member, type TeamWorld } from './team-world.ts';

let counting: CountingServer;
let world: TeamWorld;
let admin: Member;
let mira: Member;
beforeAll(async () => {
  counting = await startCountingServer();
  world = await openTeam();
  admin = await world.invited('admin', 'anna');
  mira = await world.invited('member', 'mira');
  for (const id of ['notes', 'bank']) {
    const endpoint = { kind: 'http', url: counting.url, headers: {} };
    await mira.ask('POST', '/v1/servers', { definition: definitionOf(id, endpoint), test: false });
  }
  await mira.ask('PUT', '/v1/policy/defaults', { call: { write: 'allow', unknown: 'allow' } });
}, 200_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await counting[Symbol.asyncDispose]();
});

const call = (who: Member, tool: string, args: object): Promise<Answer> =>
  who.ask('POST', '/v1/calls', { tool, args });

/** Each rule as it stands in a file of rules; by group, and for everybody under no name. */
async function withRules(rules: Readonly<Record<string, string>>): Promise<void> {
  const texts = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, `{ "rules": [${rule}] }`]),
  );
  const { status, body } = await admin.ask('PUT', '/v1/team/rules', { rules: texts });
  expect([status, body]).toEqual([200, texts]);
}

verifies(
  ['M6', 'P8'],
  'a rule of the team about data holds for people who have no rules of their own',
  async () => {
    const leak = { n: 2, note: 'take 987654321012345 from there' };
    expect((await call(mira, 'notes/add_number', { n: -987_654_321_012_345 })).status).toBe(200);
    expect((await call(mira, 'bank/add_number', leak)).status).toBe(200);
    await withRules({ '': '{ "name": "stays", "from": "notes", "to": "bank", "then": "deny" }' });
    expect((await call(mira, 'notes/add_number', { n: -987_654_321_012_345 })).status).toBe(200);
    expect((await call(mira, 'bank/add_number', leak)).body.error).toMatchObject({
      code: 'denied',
      details: { by: { kind: 'data_rule', name: 'stays' } },
    });
  },
);

verifies(
  ['M6', 'P8'],
  'a rule of the team about connecting holds for people who have no rules of their own',
  async () => {
    await mira.ask('POST', '/v1/servers/bank/stop');
    const when = '{ "action": ["connect"], "server": "bank" }';
    await withRules({ '': `{ "name": "no banks", "when": ${when}, "then": "deny" }` });
    expect((await mira.ask('POST', '/v1/servers/bank/start')).body.error.code).toBe('denied');
    await withRules({});
    expect((await mira.ask('POST', '/v1/servers/bank/start')).status).toBe(200);
  },
);

const ASKS_ADMINS = `{ "name": "two people", "when": { "tool": "bank/add_*" }, "then": "ask", "approvers": "admins" }`;

/** As a browser of hers asks. */
const PAGE = { 'plug-client': 'page.of-mira-01', 'sec-fetch-site': 'same-origin' };

interface Shown {
  readonly approval: { readonly id: string; readonly argsHash: string };
  readonly by: { readonly email: string };
}

/** A call that waits, and what those who may answer it see. */
async function waiting(n: number): Promise<{ readonly ended: Promise<Answer>; readonly shown: Shown }> {
  const input = { tool: 'bank/add_number', args: { n }, approval: 'wait', requester: 'person' };
  const ended = mira.ask('POST', '/v1/calls', input, PAGE);
  ended.catch(() => undefined);
  const seen = async (): Promise<readonly Shown[]> => (await admin.ask('GET', '/v1/team/approvals')).body;
  await expect.poll(seen, { timeout: 60_000 }).toHaveLength(1);
  const [shown] = await seen();
  return { ended, shown: shown as Shown };
}

verifies(
  ['M6', 'P8'],
  'a call that an admin has to approve runs when another person who is one says yes',
  async () => {
    await withRules({ '': ASKS_ADMINS });
    const { ended, shown } = await waiting(41);
    expect(shown).toMatchObject({
      by: { email: 'mira@team.test' },
      approval: {
        server: 'bank',
        tool: 'add_number',
        args: { n: 41 },
        decision: { by: { kind: 'rule', name: 'two people', approvers: 'admins' } },
        offers: ['once'],
      },
    });
    const { id, argsHash } = shown.approval;
    const yes = { effect: 'allow', argsHash };
    // Neither who asked, by whichever session, nor another member, nor for other arguments.
    const second = await world.signIn('mira@team.test');
    const omar = await world.invited('member', 'omar');
    const answered = async (who: Member, input: object): Promise<string> =>
      (await who.ask('PUT', `/v1/team/approvals/${id}`, input)).body.error.code;
    expect(await answered(mira, yes)).toBe('denied');
    expect(await answered(second, yes)).toBe('denied');
    expect(await answered(omar, yes)).toBe('not_found');
    expect((await omar.ask('GET', '/v1/team/approvals')).body).toEqual([]);
    expect(await answered(admin, { effect: 'allow', argsHash: 'of something else' })).toBe('usage');
    for (const input of [yes, { effect: 'deny', argsHash }]) {
      const own = await second.ask('POST', `/v1/approvals/${id}/answer`, input);
      expect(own.body.error.code).toBe('denied');
    }
    expect(counting.counts.get(41)).toBeUndefined();
    // Two admins at once: one answer counts.
    const both = await Promise.all([
      admin.ask('PUT', `/v1/team/approvals/${id}`, yes),
      world.owner.ask('PUT', `/v1/team/approvals/${id}`, { effect: 'deny', argsHash }),
    ]);
    const first = both.findIndex(({ status }) => status === 200);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await ended).status).toBe(first === 0 ? 200 : 403);
    expect(counting.counts.get(41)).toBe(first === 0 ? 1 : undefined);
    const [record] = (await mira.ask('GET', '/v1/audit?limit=1')).body.records;
    const email = first === 0 ? 'anna@team.test' : 'olga@team.test';
    expect(record.approval).toMatchObject({ id, answeredBy: expect.stringContaining(`approver ${email}`) });
    await expect.poll(async () => (await admin.ask('GET', '/v1/team/approvals')).body).toEqual([]);
  },
);

verifies(
  ['M6', 'P8'],
  'neither grants nor trust, a form, an edit or a lower risk spare the approval of others',
  async () => {
    await withRules({});
    const granted = await mira.ask('POST', '/v1/grants', { tool: 'bank/add_number', once: true });
    expect(granted.status).toBe(200);
    await admin.ask('POST', '/v1/team/groups', { name: 'tellers', members: [] });
    const byRisk = `{ "name": "two people", "when": { "server": "bank", "risk": ["write", "unknown"] }, "then": "ask", "approvers": { "group": "tellers" } }`;
    await withRules({ '': byRisk });
    await mira.ask('POST', '/v1/servers/bank/trust');
    const asked = async (more: object = {}): Promise<Answer> =>
      mira.ask('POST', '/v1/calls', { tool: 'bank/add_number', args: { n: 7 }, ...more }, PAGE);
    for (const more of [{}, { consent: 'form', requester: 'person' }]) {
      const { error } = (await asked(more)).body;
      expect(error).toMatchObject({
        code: 'approval_required',
        details: { approvers: { group: 'tellers' } },
      });
    }
    await mira.ask('PUT', '/v1/tools/risk', { ref: 'bank/add_number', risk: 'read' });
    expect((await asked()).body.error.code).toBe('approval_required');
    await mira.ask('DELETE', `/v1/grants/${granted.body.id}`);
    // Edited by the person into what others have to approve.
    const large = `{ "name": "large", "when": { "tool": "bank/add_*", "args": { "n": "9*" } }, "then": "ask", "approvers": "admins" }`;
    const small = `{ "name": "small", "when": { "tool": "bank/add_*" }, "then": "ask" }`;
    await withRules({ '': `${large}, ${small}` });
    const ended = mira.ask(
      'POST',
      '/v1/calls',
      { tool: 'bank/add_number', args: { n: 8 }, approval: 'wait' },
      PAGE,
    );
    const mine = async (): Promise<Answer['body']> => (await mira.ask('GET', '/v1/approvals')).body;
    await expect.poll(mine, { timeout: 60_000 }).toHaveLength(1);
    const [{ id, argsHash }] = await mine();
    await mira.ask('POST', `/v1/approvals/${id}/answer`, { effect: 'allow', argsHash, args: { n: 99 } });
    expect((await ended).body.error.code).toBe('denied');
    expect([counting.counts.get(7), counting.counts.get(8), counting.counts.get(99)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  },
);

verifies(
  ['M6'],
  'a rule or a quota about a group that is not there is refused, with the name that was meant',
  async () => {
    const { body: group } = await admin.ask('POST', '/v1/team/groups', { name: 'Cashiers', members: [] });
    await withRules({ Cashiers: '{ "name": "slow", "when": { "tool": "bank/*" }, "then": "ask" }' });
    const before = (await admin.ask('GET', '/v1/team/rules')).body;
    const approvers =
      '{ "name": "x", "when": { "tool": "bank/*" }, "then": "ask", "approvers": { "group": "Casheirs" } }';
    for (const [path, given] of [
      ['rules', { rules: { '': `{ "rules": [${approvers}] }` } }],
      ['rules', { rules: { Casheirs: '{ "rules": [] }' } }],
      ['quotas', { quotas: [{ calls: 1, per: 'hour', group: 'Casheirs' }] }],
    ] as const) {
      const { body } = await admin.ask('PUT', `/v1/team/${path}`, given);
      expect(body.error).toMatchObject({ code: 'usage', details: { group: 'Casheirs', near: ['Cashiers'] } });
    }
    expect((await admin.ask('GET', '/v1/team/rules')).body).toEqual(before);
    expect((await admin.ask('GET', '/v1/team/quotas')).body).toEqual([]);
    // A group may go under its rules: they can still be changed.
    await admin.ask('DELETE', `/v1/team/groups/${group.id}`);
    await withRules({ Cashiers: '{ "name": "slower", "when": { "tool": "bank/*" }, "then": "deny" }' });
    expect((await admin.ask('GET', '/v1/team/rule-list')).body).toMatchObject([
      { group: 'Cashiers', rules: [{ name: 'slower' }] },
    ]);
    await withRules({});
  },
);
