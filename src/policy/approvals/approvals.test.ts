import { afterEach, expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { limits, type Limits } from '../../base/limits.ts';
import { createRedactor } from '../../base/redact.ts';
import type { Answerer, Approval, ApprovalOutcome } from '../approval.ts';
import { hashArguments } from '../args-hash.ts';
import type { Decision } from '../decision.ts';
import { hasAnswered } from '../answered.ts';
import { Approvals, type ApprovalsOptions } from './approvals.ts';
import type { ApprovalRequest } from './card.ts';

const ask: Decision = {
  effect: 'ask',
  by: { kind: 'default', path: 'call.write' },
  reason: 'It writes.',
  offers: ['once', 'session', 'tool', 'arguments'],
};
const terminal: Answerer = { kind: 'terminal', id: 'tty-1' };
const page: Answerer = { kind: 'page', id: 'page-1' };

const request: ApprovalRequest = {
  principal: 'local',
  requester: { kind: 'host', id: 'host-1', name: 'Some Editor' },
  server: { id: 'github', key: 'key-github' },
  account: { id: 'home n1', name: 'home', shown: '@nick', isDefault: true },
  tool: 'create_issue',
  risk: 'write',
  args: { repo: 'acme/site', title: 'Hello' },
  decision: ask,
};

/** Time that passes only when it is told to; counts the timers that are still set. */
class HandClock {
  ms = 1_800_000_000_000;
  readonly timers = new Map<object, { at: number; run: () => void }>();
  readonly clock: Clock = {
    ...systemClock,
    now: () => this.ms,
    monotonic: () => this.ms,
    after: (ms, run) => {
      const key = {};
      this.timers.set(key, { at: this.ms + ms, run });
      return () => void this.timers.delete(key);
    },
  };

  pass(ms: number): void {
    this.ms += ms;
    for (const [key, { at, run }] of this.timers) {
      if (at <= this.ms && this.timers.delete(key)) run();
    }
  }
}

const opened: Approvals[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

function open(options: Partial<ApprovalsOptions> & { readonly bounds?: Partial<Limits> } = {}): {
  approvals: Approvals;
  hand: HandClock;
  asked: Approval[];
  ended: ApprovalOutcome[];
} {
  const hand = new HandClock();
  const redactor = createRedactor();
  redactor.learn('hunter2-canary-value');
  const asked: Approval[] = [];
  const ended: ApprovalOutcome[] = [];
  const { bounds, ...rest } = options;
  const approvals = new Approvals({
    clock: hand.clock,
    ids: systemIds,
    limits: { ...limits, ...bounds },
    mask: (args) => redactor.redactValue(args),
    onRequest: (approval) => void asked.push(approval),
    onAnswer: (_, outcome) => void ended.push(outcome),
    ...rest,
  });
  opened.push(approvals);
  return { approvals, hand, asked, ended };
}

function only(approvals: Approvals): Approval {
  const [first, ...others] = approvals.list();
  expect(others).toEqual([]);
  if (!first) throw new Error('nothing waits');
  return first;
}

async function refusal(promise: Promise<unknown> | (() => unknown)): Promise<PlugError> {
  try {
    await (typeof promise === 'function' ? promise() : promise);
  } catch (error) {
    if (error instanceof PlugError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

verifies(['P5'], 'the card shows server, account, tool, risk, whole arguments and why it asks', async () => {
  const { approvals, asked, hand } = open();
  const outcome = approvals.request(request);
  const card = only(approvals);
  expect(card).toMatchObject({
    server: 'github',
    account: '@nick',
    tool: 'create_issue',
    risk: 'write',
    args: { repo: 'acme/site', title: 'Hello' },
    decision: { reason: 'It writes.' },
    createdAt: hand.ms,
    expiresAt: hand.ms + 5 * 60_000,
  });
  expect(asked).toEqual([card]);
  expect(approvals.get(card.id)).toBe(card);
  await approvals.answer(card.id, { effect: 'allow', argsHash: card.argsHash }, terminal);
  expect(await outcome).toMatchObject({ kind: 'allowed', by: terminal, edited: false });
  expect(approvals.list()).toEqual([]);
});

verifies(['P5'], 'the first answer wins, and a later one is told who was faster, when and how', async () => {
  const { approvals, ended } = open();
  const outcome = approvals.request(request);
  const { id, argsHash } = only(approvals);
  const answers = await Promise.allSettled([
    approvals.answer(id, { effect: 'deny', argsHash, note: 'Not on a Friday.' }, page),
    approvals.answer(id, { effect: 'allow', argsHash }, terminal),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await outcome).toEqual({ kind: 'denied', by: page, note: 'Not on a Friday.' });
  expect(ended).toHaveLength(1);
  const late = await refusal(approvals.answer(id, { effect: 'allow', argsHash }, terminal));
  expect(late.code).toBe('already_exists');
  expect(late.message).toMatch(/already denied on the page \(page-1\) at 2027-/);
  expect((await refusal(() => approvals.get('appr_never'))).code).toBe('not_found');
});

verifies(['P5'], 'unanswered for five minutes is a denial, and the call may be made again', async () => {
  const { approvals, hand } = open();
  const outcome = approvals.request(request);
  const { id, argsHash } = only(approvals);
  hand.pass(5 * 60_000 - 1);
  expect(approvals.list()).toHaveLength(1);
  hand.pass(1);
  expect(await outcome).toEqual({ kind: 'unanswered' });
  const late = await refusal(approvals.answer(id, { effect: 'allow', argsHash }, terminal));
  expect(late).toMatchObject({ code: 'not_found', next: 'Call it again to be asked again.' });
  expect(late.message).toContain('not answered in time');
  const again = approvals.request(request);
  await approvals.answer(only(approvals).id, { effect: 'allow', argsHash }, terminal);
  expect((await again).kind).toBe('allowed');
  expect(hand.timers.size).toBe(0);
});

verifies(
  ['P5'],
  'a caller that goes away takes its question along, and closing takes all of them',
  async () => {
    const { approvals, hand } = open();
    const stop = new AbortController();
    const first = approvals.request({ ...request, signal: stop.signal });
    const second = approvals.request(request);
    const [gone] = approvals.list();
    stop.abort();
    expect(await first).toEqual({ kind: 'withdrawn' });
    expect((await refusal(() => approvals.get(gone?.id ?? ''))).message).toContain('withdrew it');
    approvals.close();
    approvals.close();
    expect(await second).toEqual({ kind: 'withdrawn' });
    expect(hand.timers.size).toBe(0);
    expect((await refusal(approvals.request(request))).code).toBe('unavailable');
    expect(await open().approvals.request({ ...request, signal: AbortSignal.abort() })).toEqual({
      kind: 'withdrawn',
    });
  },
);

verifies(['P6'], 'an answer to other arguments than the shown ones is refused', async () => {
  const { approvals } = open();
  const outcome = approvals.request(request);
  const { id, argsHash } = only(approvals);
  expect(argsHash).toBe(hashArguments({ title: 'Hello', repo: 'acme/site' }));
  const other = hashArguments({ repo: 'acme/other', title: 'Hello' });
  const error = await refusal(approvals.answer(id, { effect: 'allow', argsHash: other }, terminal));
  expect(error.message).toContain('other arguments');
  expect(approvals.list()).toHaveLength(1);
  await approvals.answer(id, { effect: 'allow', argsHash }, terminal);
  expect((await outcome).kind).toBe('allowed');
});

verifies(['P6'], 'an approval is used once: for exactly one call, and it opens no second one', async () => {
  const { approvals } = open();
  const first = approvals.request(request);
  const { id, argsHash } = only(approvals);
  const told = await approvals.answer(id, { effect: 'allow', argsHash }, terminal);
  const outcome = await first;
  if (outcome.kind !== 'allowed' || told.kind !== 'allowed') throw new Error('not allowed');
  expect(outcome.args).toBe(request.args);
  expect(hasAnswered(outcome, 'home n1')).toBe(true);
  expect(hasAnswered(outcome, 'home n1')).toBe(false);
  // What the answering face is told is a copy, and vouches for nothing.
  expect(hasAnswered(told, 'home n1')).toBe(false);
  const second = approvals.request(request);
  expect(approvals.list()).toHaveLength(1);
  approvals.close();
  expect(await second).toEqual({ kind: 'withdrawn' });
});

verifies(['P6'], 'the model that asks cannot answer, and a person at the keyboard can', async () => {
  const { approvals } = open();
  for (const kind of ['host', 'program'] as const) {
    const outcome = approvals.request({ ...request, requester: { kind, id: 'same', name: 'The Model' } });
    const { id, argsHash, batch } = only(approvals);
    for (const face of ['library', 'elicitation', 'terminal'] as const) {
      const by = { kind: face, id: 'same' };
      const error = await refusal(approvals.answer(id, { effect: 'allow', argsHash }, by));
      expect(error).toMatchObject({ code: 'denied' });
      expect(error.message).toBe('The Model asked for this call and cannot approve it itself.');
      expect((await refusal(() => approvals.answerBatch(batch, { effect: 'allow' }, by))).code).toBe(
        'denied',
      );
    }
    await approvals.answer(id, { effect: 'deny', argsHash }, terminal);
    expect((await outcome).kind).toBe('denied');
  }
  const own = approvals.request({ ...request, requester: { kind: 'person', id: 'tty-1' } });
  const { id, argsHash } = only(approvals);
  await approvals.answer(id, { effect: 'allow', argsHash }, terminal);
  expect((await own).kind).toBe('allowed');
});

verifies(
  ['P5'],
  'arguments can be edited; a bad edit is told by field and the question goes on waiting',
  async () => {
    const { approvals } = open();
    const checked: JsonObject[] = [];
    const check = async (args: JsonObject): Promise<void> => {
      checked.push(args);
      if (typeof args['title'] === 'string') return;
      throw new PlugError('bad_arguments', 'title must be a string', {
        owner: 'you',
        details: { field: 'title' },
      });
    };
    const outcome = approvals.request({ ...request, check });
    const { id, argsHash } = only(approvals);
    const bad = approvals.answer(
      id,
      { effect: 'allow', argsHash, args: { repo: 'acme/site', title: 7 } },
      page,
    );
    expect((await refusal(bad)).details).toEqual({ field: 'title' });
    expect(approvals.list()).toHaveLength(1);
    const args = { repo: 'acme/site', title: 'Better' };
    await approvals.answer(id, { effect: 'allow', argsHash, args }, page);
    expect(await outcome).toMatchObject({ kind: 'allowed', args, edited: true });
    expect(checked).toHaveLength(2);
  },
);

test('an edit that is still being checked loses against an answer that comes meanwhile', async () => {
  const { approvals } = open();
  const gate = Promise.withResolvers<void>();
  const outcome = approvals.request({ ...request, check: () => gate.promise });
  const { id, argsHash } = only(approvals);
  const edit = approvals.answer(id, { effect: 'allow', argsHash, args: { repo: 'x' } }, page);
  await approvals.answer(id, { effect: 'deny', argsHash }, terminal);
  gate.resolve();
  expect((await refusal(edit)).message).toContain('already denied in a terminal');
  expect((await outcome).kind).toBe('denied');
});

verifies(
  ['P5'],
  'secrets are masked on the card, survive an edit, and are not told to whoever answers',
  async () => {
    const { approvals } = open();
    const args = { url: 'https://x.test/?q=hunter2-canary-value', password: 'top-secret-pw', title: 'a' };
    const outcome = approvals.request({ ...request, args });
    const card = only(approvals);
    expect(JSON.stringify(card)).not.toMatch(/canary|top-secret/);
    expect(card.argsHash).toBe(hashArguments(args));
    const broken = { ...card.args, url: 'https://x.test/?q=[secret]&more=1' };
    const error = await refusal(
      approvals.answer(card.id, { effect: 'allow', argsHash: card.argsHash, args: broken }, page),
    );
    expect(error).toMatchObject({ code: 'bad_arguments', details: { field: 'url' } });
    const edited = { ...card.args, title: 'b' };
    const told = await approvals.answer(
      card.id,
      { effect: 'allow', argsHash: card.argsHash, args: edited },
      page,
    );
    expect(await outcome).toMatchObject({ kind: 'allowed', args: { ...args, title: 'b' } });
    expect(JSON.stringify(told)).not.toMatch(/canary|top-secret/);
  },
);

verifies(
  ['P5'],
  'the change since the last approved call is shown, also where a secret changed',
  async () => {
    const { approvals } = open();
    const allow = async (args: JsonObject): Promise<Approval> => {
      const outcome = approvals.request({ ...request, args });
      const card = only(approvals);
      await approvals.answer(card.id, { effect: 'allow', argsHash: card.argsHash }, terminal);
      await outcome;
      return card;
    };
    expect((await allow({ to: 'a@x.test', tags: ['one'], token: 'first-secret' })).changes).toBeUndefined();
    const second = await allow({ to: 'b@x.test', tags: ['one', 'two'], token: 'second-secret' });
    expect(second.changes).toEqual([
      { path: 'to', before: 'a@x.test', after: 'b@x.test' },
      { path: 'tags.1', after: 'two' },
      { path: 'token', before: '[secret]', after: '[secret]' },
    ]);
    expect((await allow({ to: 'b@x.test', tags: ['one', 'two'], token: 'second-secret' })).changes).toEqual(
      [],
    );
    // A denied call is no measure for the next one.
    const denied = approvals.request({ ...request, args: { to: 'evil@x.test' } });
    const card = only(approvals);
    await approvals.answer(card.id, { effect: 'deny', argsHash: card.argsHash }, terminal);
    await denied;
    expect((await allow({ to: 'b@x.test' })).changes).toContainEqual({ path: 'tags.1', before: 'two' });
  },
);

verifies(
  ['P5'],
  'parallel calls are answered together, but what is destructive or flagged is not',
  async () => {
    const { approvals, hand } = open();
    const flag = { kind: 'instructions', field: 'description', detail: 'It talks to the model.' } as const;
    const calls = [
      approvals.request({ ...request, args: { n: 1 } }),
      approvals.request({ ...request, args: { n: 2 } }),
      approvals.request({ ...request, args: { n: 3 }, risk: 'destructive' }),
      approvals.request({ ...request, args: { n: 4 }, flags: [flag] }),
    ];
    const other = approvals.request({ ...request, requester: { kind: 'host', id: 'host-2' } });
    hand.pass(limits.approvalBatchMs + 1);
    const later = approvals.request(request);
    const waiting = approvals.list();
    const batch = waiting[0]?.batch ?? '';
    expect(waiting.map((each) => each.batch === batch)).toEqual([true, true, true, true, false, false]);
    const outcomes = approvals.answerBatch(batch, { effect: 'allow' }, terminal);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['allowed', 'allowed']);
    expect(await Promise.all(calls.slice(0, 2))).toMatchObject([{ args: { n: 1 } }, { args: { n: 2 } }]);
    expect(approvals.list()).toHaveLength(4);
    const error = await refusal(() => approvals.answerBatch(batch, { effect: 'allow' }, terminal));
    expect(error.message).toContain('one by one');
    expect(approvals.answerBatch(batch, { effect: 'deny' }, terminal)).toHaveLength(2);
    approvals.close();
    expect(await Promise.all([other, later])).toEqual([{ kind: 'withdrawn' }, { kind: 'withdrawn' }]);
  },
);

test('nothing slips into a batch after the person looked', async () => {
  const { approvals } = open();
  const first = approvals.request({ ...request, args: { n: 1 } });
  const [seen] = approvals.list();
  const second = approvals.request({ ...request, args: { n: 2 } });
  approvals.answerBatch(seen?.batch ?? '', { effect: 'allow', ids: [seen?.id ?? ''] }, terminal);
  expect((await first).kind).toBe('allowed');
  const third = approvals.request({ ...request, args: { n: 3 } });
  expect(approvals.list().map(({ batch }) => batch === seen?.batch)).toEqual([true, false]);
  approvals.close();
  await Promise.all([second, third]);
});

test('only what was offered can be remembered, and the answer carries it to the caller', async () => {
  const { approvals } = open();
  const outcome = approvals.request(request);
  const { id, argsHash } = only(approvals);
  const answers = [
    { effect: 'allow', argsHash, remember: 'reads' },
    { effect: 'allow', argsHash, remember: 'arguments' },
    { effect: 'allow', argsHash, pattern: { repo: 'acme/*' } },
    { effect: 'deny', argsHash, remember: 'tool' },
    { effect: 'allow', argsHash, note: 'hm' },
    { effect: 'deny', argsHash, note: 'x'.repeat(limits.approvalNoteCharsMax + 1) },
  ] as const;
  for (const answer of answers) {
    expect((await refusal(approvals.answer(id, answer, terminal))).code).toBe('usage');
  }
  expect(approvals.list()).toHaveLength(1);
  const pattern = { repo: 'acme/*' };
  await approvals.answer(id, { effect: 'allow', argsHash, remember: 'arguments', pattern }, terminal);
  expect(await outcome).toMatchObject({ kind: 'allowed', remember: 'arguments', pattern });
});

test('the queue is bounded: in all, for one requester, and in what it holds', async () => {
  const { approvals } = open({
    bounds: { approvalsMax: 3, approvalsPerRequesterMax: 2, approvalArgsBytesMax: 100 },
  });
  const large = await refusal(approvals.request({ ...request, args: { text: 'x'.repeat(100) } }));
  expect(large.code).toBe('too_large');
  const held = [approvals.request(request), approvals.request(request)];
  expect((await refusal(approvals.request(request))).message).toContain('of Some Editor wait');
  held.push(approvals.request({ ...request, requester: { kind: 'program', id: 'p-1' } }));
  const full = await refusal(approvals.request({ ...request, requester: { kind: 'program', id: 'p-2' } }));
  expect(full).toMatchObject({ code: 'unavailable', next: 'Answer those first, then call again.' });
  const [first] = approvals.list();
  await approvals.answer(first?.id ?? '', { effect: 'deny', argsHash: first?.argsHash ?? '' }, terminal);
  await held[0];
  held.push(approvals.request(request));
  expect(approvals.list()).toHaveLength(3);
  approvals.close();
  await Promise.all(held);
});

test('who came late is told so only for the questions that are kept', async () => {
  const { approvals } = open({ bounds: { approvalsEndedKept: 1 } });
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const outcome = approvals.request(request);
    const { id, argsHash } = only(approvals);
    ids.push(id);
    await approvals.answer(id, { effect: 'deny', argsHash }, terminal);
    await outcome;
  }
  expect((await refusal(() => approvals.get(ids[0] ?? ''))).code).toBe('not_found');
  expect((await refusal(() => approvals.get(ids[1] ?? ''))).code).toBe('already_exists');
});
