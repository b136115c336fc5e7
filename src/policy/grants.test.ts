import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { decide } from './decide.ts';
import type { CallQuestion } from './decision.ts';
import { describeGrant, type Grant, type GrantScope, type Present, staleness } from './grant.ts';
import { Grants, type NewGrantRow } from './grants.ts';
import { permitFrom } from './permit.ts';
import { type PolicySnapshot, shippedDefaults } from './policy.ts';
import { ruleSetOf } from './rules/rule.ts';
import type { PolicyStore } from './store.ts';

/** Rows in memory that take a moment, as those of a database do. */
class Rows implements Pick<PolicyStore, 'listGrants' | 'putGrant' | 'deleteGrant'> {
  readonly rows = new Map<string, Grant>();
  failing = false;

  async listGrants(): Promise<readonly Grant[]> {
    return [...this.rows.values()];
  }

  async putGrant(_owner: string, grant: Grant): Promise<void> {
    await systemClock.sleep(1);
    this.rows.set(grant.id, grant);
  }

  async deleteGrant(_owner: string, id: string): Promise<boolean> {
    await systemClock.sleep(1);
    if (this.failing) throw new Error('the disk is gone');
    return this.rows.delete(id);
  }
}

const START = Date.UTC(2026, 10, 15);
let now = START;
const clock: Clock = { ...systemClock, now: () => now };

function open(rows: Rows): Promise<Grants> {
  now = START;
  // Grants read and write grants alone; the rest of the store is of no concern here.
  return Grants.load({
    store: rows as unknown as PolicyStore,
    owner: 'local',
    clock,
    ids: systemIds,
    limits,
  });
}

const tool: GrantScope = { kind: 'tool', tool: 'send', hash: 'h1' };
const once: GrantScope = { kind: 'once', tool: 'send', hash: 'h1' };

function row(scope: GrantScope, more: Partial<NewGrantRow> = {}): NewGrantRow {
  return {
    principal: 'local',
    server: 'mail',
    fingerprint: 'f1',
    scope,
    session: false,
    source: 'test',
    ...more,
  };
}

function question(more: Partial<CallQuestion> = {}): CallQuestion {
  return {
    action: 'call',
    principal: 'local',
    requester: { kind: 'program', id: 'p' },
    now,
    server: { id: 'mail', key: 'mail', fingerprint: 'f1', trust: 'none' },
    tool: { name: 'send', risk: 'write', hash: 'h1', flags: [], quarantined: false },
    args: {},
    origins: [],
    ...more,
  };
}

function policy(grants: Grants): PolicySnapshot {
  return { defaults: shippedDefaults, rules: ruleSetOf([]), grants: grants.index, readOnly: false };
}

function effect(grants: Grants, more: Partial<CallQuestion> = {}): string {
  return decide(question(more), policy(grants)).effect;
}

verifies(
  ['P4'],
  'a grant holds for its person, its server as it was and its tool as it was, and for nothing else',
  async () => {
    const grants = await open(new Rows());
    expect(effect(grants)).toBe('ask');
    await grants.add(row(tool));
    expect(effect(grants)).toBe('allow');
    const { server, tool: asked } = question();
    expect(effect(grants, { principal: 'somebody' })).toBe('ask');
    expect(effect(grants, { server: { ...server, fingerprint: 'f2' } })).toBe('ask');
    expect(effect(grants, { server: { ...server, key: 'mail2' } })).toBe('ask');
    expect(effect(grants, { tool: { ...asked, hash: 'h2' } })).toBe('ask');
    expect(effect(grants, { tool: { ...asked, name: 'draft' } })).toBe('ask');
  },
);

verifies(['P4'], 'a grant for all reads covers reads and nothing that writes', async () => {
  const grants = await open(new Rows());
  await grants.add(row({ kind: 'reads' }));
  const { tool: asked } = question();
  expect(effect(grants, { tool: { ...asked, risk: 'read' } })).toBe('allow');
  for (const risk of ['write', 'unknown', 'destructive'] as const) {
    expect(effect(grants, { tool: { ...asked, risk } })).toBe('ask');
  }
});

verifies(['P4'], 'of parallel calls exactly one uses a grant for once, also across processes', async () => {
  const rows = new Rows();
  const first = await open(rows);
  await first.add(row(once));
  const second = await open(rows);
  const attempts = [first, first, first, second, second, second].map(async (grants) => {
    const asked = question();
    const decision = decide(asked, policy(grants));
    return decision.effect === 'allow' ? permitFrom(decision, asked, grants) : undefined;
  });
  const permits = (await Promise.all(attempts)).filter((permit) => permit !== undefined);
  expect(permits).toHaveLength(1);
  expect(rows.rows.size).toBe(0);
  expect(effect(first)).toBe('ask');
  expect(effect(second)).toBe('ask');
});

verifies(['P4'], 'a grant for once is not lost when the store fails before the call', async () => {
  const rows = new Rows();
  const grants = await open(rows);
  const { id } = await grants.add(row(once));
  rows.failing = true;
  await expect(grants.claim(id)).rejects.toThrow('the disk is gone');
  rows.failing = false;
  expect(effect(grants)).toBe('allow');
  expect(await grants.claim(id)).toBe(true);
  expect(await grants.claim(id)).toBe(false);
});

verifies(
  ['P4'],
  'a grant for the session is gone with the hub, and one until a date with the date',
  async () => {
    const rows = new Rows();
    const grants = await open(rows);
    await grants.add(row(tool, { session: true }));
    expect(rows.rows.size).toBe(0);
    expect(effect(grants)).toBe('allow');
    expect(effect(await open(rows))).toBe('ask');

    const dated = await open(rows);
    const { id } = await dated.add(row(tool, { until: START + 1000 }));
    expect(effect(dated)).toBe('allow');
    now = START + 1000;
    expect(effect(dated)).toBe('ask');
    expect(await dated.claim(id)).toBe(false);
    expect(await dated.list()).toEqual([]);
    expect(rows.rows.size).toBe(0);
    await expect(dated.add(row(tool, { until: now }))).rejects.toThrow('The date is in the past');
  },
);

verifies(
  ['P4'],
  'grants are listed, survive a restart, and a revoked one counts no more from that moment',
  async () => {
    const rows = new Rows();
    await (await open(rows)).add(row(tool));
    const grants = await open(rows);
    const [kept] = await grants.list({ server: 'mail' });
    expect(kept).toMatchObject({ server: 'mail', scope: tool, source: 'test', createdAt: START });
    expect(await grants.list({ server: 'other' })).toEqual([]);
    const revoking = grants.revoke(kept?.id ?? '');
    expect(effect(grants)).toBe('ask');
    await revoking;
    expect(rows.rows.size).toBe(0);
    await expect(grants.revoke(kept?.id ?? '')).rejects.toMatchObject({
      code: 'not_found',
      next: 'plug grants list',
    });
  },
);

test('the same grant is kept once, and there is a limit to how many a tool can have', async () => {
  const rows = new Rows();
  const grants = await open(rows);
  const first = await grants.add(row(tool));
  expect(await grants.add(row(tool))).toEqual(first);
  for (let count = 1; count < limits.grantsPerToolMax; count += 1) {
    await grants.add(row({ ...tool, kind: 'arguments', pattern: { to: `a${count}` } }));
  }
  await expect(grants.add(row({ ...tool, kind: 'arguments', pattern: { to: 'b' } }))).rejects.toThrow(
    'too many',
  );
  await expect(grants.add(row({ ...tool, kind: 'arguments', pattern: {} }))).rejects.toThrow(
    'must name 1 to',
  );
  expect(rows.rows.size).toBe(limits.grantsPerToolMax);
});

test('a removed server takes its grants along', async () => {
  const grants = await open(new Rows());
  await grants.add(row(tool));
  await grants.add(row({ kind: 'reads' }, { server: 'other' }));
  grants.forgetServer('mail');
  expect((await grants.list()).map(({ server }) => server)).toEqual(['other']);
  expect(effect(grants)).toBe('ask');
});

verifies(['P4'], 'a grant is explained in words, with why it does not hold any more', () => {
  const full = (scope: GrantScope, more: Partial<Grant> = {}): Grant => ({
    ...row(scope),
    id: 'g',
    createdAt: 0,
    ...more,
  });
  const pattern = { repo: 'acme/*', title: '*' };
  expect(
    describeGrant(full({ ...tool, kind: 'arguments', pattern }, { until: Date.UTC(2026, 11, 1) }), 'github'),
  ).toBe('Calls of github/send where repo is acme/* and title is *, until 2026-12-01');
  expect(describeGrant(full(once), 'mail')).toBe('One call of mail/send');
  expect(describeGrant(full(tool, { session: true }), 'mail')).toBe(
    'Calls of mail/send, until the hub stops',
  );
  expect(describeGrant(full({ kind: 'reads' }), 'mail')).toBe('Read-only tools of mail');

  const present: Present = { now: START, fingerprint: 'f1', account: undefined, hashOf: () => 'h1' };
  expect(staleness(full(tool), present)).toBeUndefined();
  expect(staleness(full(tool), { ...present, fingerprint: 'f2' })).toContain('The server changed');
  expect(staleness(full(tool), { ...present, fingerprint: undefined })).toContain('was removed');
  expect(staleness(full(tool), { ...present, hashOf: () => 'h2' })).toContain('The tool changed');
  expect(staleness(full(tool), { ...present, hashOf: () => undefined })).toContain('no longer has');
  expect(staleness(full(tool, { until: START }), present)).toBe('It ended 2026-11-15.');
});
