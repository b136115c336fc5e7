import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Approval } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { skippingClock } from './calls-clock.ts';
import { destroying, writing } from './calls-played.ts';
import { no, openWorld, rule, yes } from './policy-world.ts';

const LONG_MS = 40_000;
const MINUTE_MS = 60_000;

verifies(
  ['P5', 'P6', 'L1'],
  'a call that waits is answered from another client; whoever asked cannot, the first answer wins',
  async () => {
    const { connect, ask, notes } = await openWorld([writing()]);
    const [program, first, second] = [connect(), connect('terminal'), connect('terminal')];
    const { card, answer } = await ask(program, { text: 'hello' });
    expect(await second.approvals.list()).toMatchObject([
      { id: card.id, tool: 'create_note', server: 'notes' },
    ]);
    await expect(program.approvals.answer({ id: card.id, ...yes(card) })).rejects.toMatchObject({
      code: 'denied',
    });
    await expect(
      first.approvals.answer({ id: card.id, effect: 'allow', argsHash: 'of something else' }),
    ).rejects.toMatchObject({ code: 'usage' });
    expect(notes.calls()).toEqual([]);
    const answers = await Promise.allSettled(
      [first, second].map((client) => client.approvals.answer({ id: card.id, ...yes(card) })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_exists' },
    });
    const { allowedBy, callId } = await answer;
    expect(allowedBy).toContain(card.id);
    expect(notes.calls()).toHaveLength(1);
    const [record] = (await first.audit.query()).records;
    expect(record).toMatchObject({ callId, effect: 'ask', approval: { id: card.id, outcome: 'allowed' } });
    expect(record?.approval?.answeredBy).toMatch(/^terminal /);
    // Used once: the same call asks again.
    const again = await ask(program, { text: 'hello' });
    expect(again.card.id).not.toBe(card.id);
    await first.approvals.answer({ id: again.card.id, ...no(again.card, 'enough') });
    await expect(again.answer).rejects.toMatchObject({ code: 'denied' });
  },
  LONG_MS,
);

verifies(
  ['P6'],
  'a person may answer their own question, from the very client that asked',
  async () => {
    const { connect, notes } = await openWorld([writing()]);
    const person = connect('terminal');
    const request = { tool: 'notes/create_note', requester: 'person', approval: 'wait' } as const;
    const onApproval = (card: Approval): void => void person.approvals.answer({ id: card.id, ...yes(card) });
    expect(await person.tools.call(request, { onApproval })).toMatchObject({ isError: false });
    expect(notes.calls()).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['P6'],
  'whoever speaks for a host cannot answer for it, under neither name; the card names the host',
  async () => {
    const { connect, notes } = await openWorld([writing()]);
    const [gateway, person] = [connect(), connect('terminal')];
    const host = await gateway.hosts.attach({ name: 'Some Editor', handlers: {} });
    const { promise, resolve } = Promise.withResolvers<Approval>();
    const request = { tool: 'notes/create_note', host: host.id, approval: 'wait' } as const;
    const answer = gateway.tools.call(request, { onApproval: resolve });
    const card = await promise;
    expect(card.requester).toMatchObject({ kind: 'host', name: 'Some Editor' });
    await expect(gateway.approvals.answer({ id: card.id, ...yes(card) })).rejects.toMatchObject({
      code: 'denied',
    });
    await expect(gateway.approvals.answerBatch({ batch: card.batch, effect: 'allow' })).rejects.toMatchObject(
      {
        code: 'denied',
      },
    );
    expect(notes.calls()).toEqual([]);
    await person.approvals.answer({ id: card.id, ...yes(card) });
    await answer;
    expect(notes.calls()).toHaveLength(1);
    await host.close();
  },
  LONG_MS,
);

verifies(
  ['P5'],
  "a denial's note reaches whoever asked",
  async () => {
    const { connect, ask, notes } = await openWorld([writing()]);
    const { card, answer } = await ask(connect());
    await connect('terminal').approvals.answer({ id: card.id, ...no(card, 'Not on a Friday.') });
    await expect(answer).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('Not on a Friday.') as unknown,
      details: { note: 'Not on a Friday.' },
    });
    expect(notes.calls()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['P5', 'P6'],
  'edited arguments are checked like any, and are what runs; a rule that denies them holds',
  async () => {
    const inputSchema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
    const { connect, ask, notes, config } = await openWorld([{ ...writing(), inputSchema }]);
    const [program, person] = [connect(), connect('terminal')];
    const bob = rule('deny', 'not to bob', { when: { tool: 'notes/*', args: { to: 'bob*' } } });
    writeFileSync(`${config}/rules.json`, JSON.stringify({ rules: [bob] }));
    await waitFor(async () => (await person.policy.rules()).rules.length === 1, 10_000);
    const one = await ask(program, { to: 'everybody' });
    await expect(
      person.approvals.answer({ id: one.card.id, ...yes(one.card), args: { to: 7 } }),
    ).rejects.toMatchObject({ code: 'bad_arguments' });
    expect(await person.approvals.list()).toHaveLength(1);
    await person.approvals.answer({ id: one.card.id, ...yes(one.card), args: { to: 'ada' } });
    await one.answer;
    expect(notes.calls().map(({ args }) => args)).toEqual([{ to: 'ada' }]);
    const { records } = await person.audit.query();
    expect(records[0]).toMatchObject({ args: { to: 'ada' }, approval: { edited: true } });
    const two = await ask(program, { to: 'ada' });
    await person.approvals.answer({ id: two.card.id, ...yes(two.card), args: { to: 'bob' } });
    await expect(two.answer).rejects.toMatchObject({
      code: 'denied',
      details: { by: { name: 'not to bob' } },
    });
    expect(notes.calls()).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'calls that came together are answered together, but what destroys needs a look of its own',
  async () => {
    const { connect, ask, notes } = await openWorld([writing(), destroying()]);
    const [program, person] = [connect(), connect('terminal')];
    const asked = await Promise.all([
      ask(program, { n: 1 }),
      ask(program, { n: 2 }),
      ask(program, { n: 3 }, 'notes/delete_note'),
    ]);
    const [batch = ''] = new Set(asked.map(({ card }) => card.batch));
    expect(asked.every(({ card }) => card.batch === batch)).toBe(true);
    expect(await person.approvals.answerBatch({ batch, effect: 'allow' })).toHaveLength(2);
    await Promise.all(asked.slice(0, 2).map(({ answer }) => answer));
    expect(notes.calls().map(({ name }) => name)).toEqual(['create_note', 'create_note']);
    expect(await person.approvals.list()).toMatchObject([{ tool: 'delete_note' }]);
    expect(await person.approvals.answerBatch({ batch, effect: 'deny' })).toHaveLength(1);
    await expect(asked[2].answer).rejects.toMatchObject({ code: 'denied' });
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'what nobody has answered for five minutes is a denial, and a late answer changes nothing',
  async () => {
    const clock = skippingClock();
    const { connect, ask, notes } = await openWorld([writing()], { clock });
    const person = connect('terminal');
    const { card, answer } = await ask(connect());
    expect(card.expiresAt - card.createdAt).toBe(5 * MINUTE_MS);
    clock.skip(4 * MINUTE_MS);
    expect(await person.approvals.list()).toHaveLength(1);
    clock.skip(MINUTE_MS + 1_000);
    await expect(answer).rejects.toMatchObject({ code: 'denied', details: { outcome: 'unanswered' } });
    await expect(person.approvals.answer({ id: card.id, ...yes(card) })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(notes.calls()).toEqual([]);
    expect((await person.audit.query()).records[0]).toMatchObject({
      outcome: 'refused',
      approval: { outcome: 'unanswered' },
    });
  },
  LONG_MS,
);

verifies(
  ['P6', 'L6'],
  'a tool whose definition changes while its call waits is not called, and that is on record',
  async () => {
    const { connect, ask, notes } = await openWorld([writing()]);
    const person = connect('terminal');
    const { card, answer } = await ask(connect());
    notes.offer({ ...writing(), description: 'Creates a note and posts it everywhere.' });
    await waitFor(async () => {
      const { tools, withheld } = await person.tools.list({ server: 'notes' });
      return withheld.length > 0 || tools[0]?.description?.includes('everywhere');
    }, 10_000);
    await person.approvals.answer({ id: card.id, ...yes(card) });
    await expect(answer).rejects.toMatchObject({ code: 'denied', owner: 'server' });
    expect(notes.calls()).toEqual([]);
    expect((await person.audit.query()).records[0]).toMatchObject({
      outcome: 'refused',
      approval: { id: card.id, outcome: 'allowed' },
    });
  },
  LONG_MS,
);
