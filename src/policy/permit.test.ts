import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { vouchFor } from './answered.ts';
import type { ApprovalOutcome } from './approval.ts';
import { decide } from './decide.ts';
import type { CallQuestion, Decision, Effect } from './decision.ts';
import { GrantIndex } from './grants.ts';
import { CallPermit } from '../connections/permit.ts';
import { permitFrom, permitFromApproval } from './permit.ts';
import { shippedDefaults, type PolicySnapshot } from './policy.ts';
import { ruleSetOf, type Rule } from './rules/rule.ts';

const noGrants = { claim: () => Promise.resolve(true) };

function policy(write: Effect, rules: readonly Rule[] = []): PolicySnapshot {
  const defaults = { ...shippedDefaults, call: { ...shippedDefaults.call, write } };
  return { defaults, rules: ruleSetOf(rules), grants: new GrantIndex(), readOnly: false };
}

function question(args: CallQuestion['args'] = { to: 'a' }): CallQuestion {
  return {
    action: 'call',
    principal: 'local',
    requester: { kind: 'host', id: 'h' },
    now: 0,
    server: { id: 'mail', key: 'mail-key', fingerprint: 'f1', trust: 'none' },
    tool: { name: 'send', risk: 'write', hash: 'h1', flags: [], quarantined: false },
    args,
    origins: [],
  };
}

type Allowed = Extract<ApprovalOutcome, { kind: 'allowed' }>;
function allowed(args: CallQuestion['args']): Allowed {
  return { kind: 'allowed', by: { kind: 'page', id: 'p' }, args, edited: false };
}

verifies(['P1'], 'a permit is for one tool, with the very arguments that were decided about', async () => {
  const asked = question();
  const { args } = asked;
  const permit = await permitFrom(decide(asked, policy('allow')), asked, noGrants);
  if (!permit) throw new Error('The call is allowed.');
  expect(CallPermit.covers(permit, { name: 'send', arguments: args }, undefined)).toBe(true);
  expect(CallPermit.covers(permit, { name: 'delete', arguments: args }, undefined)).toBe(false);
  expect(CallPermit.covers(permit, { name: 'send', arguments: { ...args } }, undefined)).toBe(false);
});

verifies(
  ['P1'],
  'no decision but one that was made about this question, and allows, gives a permit',
  async () => {
    const asked = question();
    const forged: Decision = {
      effect: 'allow',
      by: { kind: 'trust', trust: 'kept' },
      reason: '',
      offers: [],
    };
    await expect(permitFrom(forged, asked, noGrants)).rejects.toThrow('without a decision');
    await expect(permitFrom({ ...decide(asked, policy('allow')) }, asked, noGrants)).rejects.toThrow(
      'without',
    );
    await expect(permitFrom(decide(asked, policy('ask')), asked, noGrants)).rejects.toThrow(
      'without a decision',
    );
    await expect(permitFrom(decide(asked, policy('allow')), question(), noGrants)).rejects.toThrow('without');
    expect(permitFromApproval(vouchFor(allowed(asked.args), undefined), asked, policy('ask')).kind).toBe(
      'permit',
    );
    expect(() => permitFromApproval(allowed(asked.args), asked, policy('ask'))).toThrow('nobody gave');
  },
);

verifies(
  ['P6'],
  'an answer gives one permit, for the arguments that were answered, and never against a rule that denies',
  () => {
    const asked = question();
    const answer = vouchFor(allowed(asked.args), undefined);
    expect(permitFromApproval(answer, asked, policy('ask')).kind).toBe('permit');
    expect(() => permitFromApproval(answer, asked, policy('ask'))).toThrow('nobody gave');
    expect(() => permitFromApproval(vouchFor(allowed({ to: 'b' }), undefined), asked, policy('ask'))).toThrow(
      'other arguments',
    );
    const edited = { to: 'evil' };
    const test = (text: string): boolean => text === 'evil';
    const rule: Rule = {
      kind: 'rule',
      name: 'no',
      effect: 'deny',
      actions: ['call'],
      args: [{ path: 'to', says: '', test, finds: test }],
    };
    expect(
      permitFromApproval(vouchFor(allowed(edited), undefined), question(edited), policy('ask', [rule])),
    ).toMatchObject({
      kind: 'denied',
      decision: { by: { kind: 'rule', name: 'no' } },
    });
  },
);

verifies(['P10', 'attack:7'], 'an answer for one account gives no permit for another', async () => {
  const home = { id: 'home n1', name: 'home', shown: 'home (@nick)', isDefault: true };
  const asked = { ...question(), account: home };
  const answer = (account: string | undefined): Allowed => vouchFor(allowed(asked.args), account);
  for (const other of ['work n2', 'home n2', 'home', undefined]) {
    expect(() => permitFromApproval(answer(other), asked, policy('ask'))).toThrow('for this account');
  }
  const approved = permitFromApproval(answer('home n1'), asked, policy('ask'));
  if (approved.kind !== 'permit') throw new Error('The call is approved.');
  const params = { name: 'send', arguments: asked.args };
  expect(CallPermit.covers(approved.permit, params, 'home n1')).toBe(true);
  for (const other of ['work n2', 'home n2', undefined]) {
    expect(CallPermit.covers(approved.permit, params, other)).toBe(false);
  }
});
