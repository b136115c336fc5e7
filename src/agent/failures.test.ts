import { expect, test } from 'vitest';
import { user, withAgent } from '../../test/models/agent-world.ts';
import {
  broken,
  calls,
  drop,
  fail,
  nothing,
  slow,
  stall,
  startScriptedModel,
  text,
} from '../../test/models/scripted-model.ts';
import { verifies } from '../../test/requirements.ts';
import { played, reading } from '../../test/scenarios/calls-played.ts';
import type { ChatEvent } from '../hub/hub.ts';

const notesOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.kind === 'note' ? event.text : '')).join('\n');
const retriesOf = (events: readonly ChatEvent[]): readonly ChatEvent[] =>
  events.filter(({ kind }) => kind === 'retry');

verifies(['A1'], 'a busy or failing provider is asked again as long as nothing was shown', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer(
      fail(429, { 'retry-after': '0.02' }),
      fail(500),
      drop(),
      broken('error', text()),
      text('Here ', 'I am.'),
    );
    const { outcome, events, text: said } = await say('Hello');
    expect(said).toBe('Here I am.');
    expect(outcome).toMatchObject({ end: 'done', text: 'Here I am.' });
    expect(model.requests).toHaveLength(5);
    expect(retriesOf(events)).toMatchObject([
      { attempt: 1, waitMs: 20, reason: expect.stringContaining('asked too often') },
      { attempt: 2, reason: expect.stringContaining('status 500') },
      { attempt: 3, reason: expect.stringContaining('connection to the model failed') },
      { attempt: 4, reason: expect.stringContaining('overloaded') },
    ]);
  });
});

test('a pause that is longer than anybody waits is said instead of waited for', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer(fail(429, { 'retry-after': '3600' }));
    await expect(say('Hello')).rejects.toMatchObject({ code: 'rate_limited', owner: 'server' });
    expect(model.requests).toHaveLength(1);
  });
});

test('a provider that stays down is given up after a number of attempts', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer(...Array.from({ length: 9 }, () => fail(503)));
    await expect(say('Hello', { limits: { retriesMax: 2 } })).rejects.toMatchObject({
      code: 'server_error',
      next: expect.stringContaining('plug model list'),
    });
    expect(model.requests).toHaveLength(3);
  });
});

verifies(
  ['A1'],
  'an answer that breaks off keeps what was said, is not asked for twice, and can be continued',
  async () => {
    await withAgent({}, async ({ model, say }) => {
      for (const step of [drop(text('Half an ')), broken('cut', text('Half an ', 'Äpfel'))]) {
        const before = model.requests.length;
        model.answer(step);
        const { outcome, text: said } = await say('Tell me');
        expect(said).toBe('Half an ');
        expect(outcome).toMatchObject({ end: 'cut', text: 'Half an ', error: { owner: 'network' } });
        expect(model.requests).toHaveLength(before + 1);
        model.answer(text('answer.'));
        const next = await say({ messages: [user('Tell me'), ...outcome.messages, user('Go on')] });
        expect(next.outcome.text).toBe('answer.');
      }
    });
  },
);

verifies(
  ['A1'],
  'characters that come byte by byte are whole, and one broken chunk does not spoil the rest',
  async () => {
    await withAgent({}, async ({ hub, model, say }) => {
      const notes = played('notes', reading('get_note', { text: 'ok' }));
      await hub.servers.add({ definition: notes.definition });
      model.answer(broken('split', text('Grüße ', '世界 👩‍👧')));
      expect((await say('Hi')).text).toBe('Grüße 世界 👩‍👧');
      model.answer(
        broken('split', calls({ name: 'notes__get_note', args: { q: 'Ä世👩' }, chunkChars: 1 })),
        text('ok'),
      );
      await say('Hi');
      expect(notes.calls()).toMatchObject([{ args: { q: 'Ä世👩' } }]);
      model.answer(broken('json', text('a', 'b', 'c')));
      const { events, outcome } = await say('Hi');
      expect(outcome).toMatchObject({ end: 'done', text: 'abc' });
      expect(notesOf(events)).toContain('could not be read');
    });
  },
);

verifies(['A1'], 'a model whose arguments are no JSON is told so and goes on, but not forever', async () => {
  await withAgent({}, async ({ hub, model, say }) => {
    const notes = played('notes', reading('get_note', { text: 'ok' }));
    await hub.servers.add({ definition: notes.definition });
    const wrong = { name: 'notes__get_note', args: '{"id": 1, ' };
    model.answer(calls(wrong), calls({ name: 'notes__get_note', args: { id: 1 } }), text('Got it.'));
    const { outcome, events } = await say('Hi');
    expect(outcome.text).toBe('Got it.');
    expect(notes.calls()).toHaveLength(1);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('were no JSON object');
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'call-end', outcome: 'failed', tool: 'notes__get_note' }),
    );
    model.answer(...Array.from({ length: 9 }, () => calls(wrong)));
    const again = await say('Hi', { limits: { brokenCallsMax: 3 } });
    expect(again.outcome).toMatchObject({ end: 'cut', error: { code: 'protocol_error' } });
    expect(model.left()).toBe(5);
  });
});

verifies(['A1'], 'a tool that does not exist is answered with the one that was meant', async () => {
  await withAgent({}, async ({ hub, model, say }) => {
    await hub.servers.add({ definition: played('notes', reading('get_note')).definition });
    model.answer(calls({ name: 'notes__get_notes' }), text('Sorry.'));
    const { outcome, events } = await say('Hi');
    expect(outcome.text).toBe('Sorry.');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('Did you mean mcp__notes__get_note?');
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'call-end',
        outcome: 'failed',
        error: expect.objectContaining({ code: 'not_found' }),
      }),
    );
  });
});

verifies(['A1'], 'a model that repeats itself is stopped: no endless loop', async () => {
  await withAgent({}, async ({ hub, model, say }) => {
    const notes = played('notes', reading('get_note'), reading('get_other'));
    await hub.servers.add({ definition: notes.definition });
    const same = calls({ name: 'notes__get_note', args: { a: 1, b: 2 } });
    const sameAgain = calls({ name: 'notes__get_note', args: { b: 2, a: 1 } });
    model.answer(same, sameAgain, same, text('I stop.'));
    await say('Hi');
    expect(notes.calls()).toHaveLength(2);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('2 times in a row');
    model.answer(...Array.from({ length: 9 }, (_, id) => calls({ name: 'notes__get_other', args: { id } })));
    const { outcome, events } = await say('Hi', { limits: { stepsMax: 4 } });
    expect(outcome).toMatchObject({ end: 'steps', usage: { steps: 4, calls: 4 } });
    expect(notesOf(events)).toContain('after 4 steps');
    expect(outcome.messages.at(-1)?.role).toBe('tool');
  });
});

verifies(
  ['A1'],
  'a key, a model or an address that is wrong says whose move it is and the next command',
  async () => {
    await withAgent({}, async ({ model, say }) => {
      model.answer(fail(401, {}, 'Incorrect API key'), fail(403), fail(404, {}, 'model not found'));
      const wrong = { code: 'sign_in_needed', owner: 'you', next: 'plug model add test --key' };
      await expect(say('Hi')).rejects.toMatchObject(wrong);
      await expect(say('Hi')).rejects.toMatchObject(wrong);
      await expect(say('Hi')).rejects.toMatchObject({
        code: 'not_found',
        owner: 'you',
        next: 'plug model list',
      });
      const gone = await startScriptedModel();
      await gone.close();
      await expect(say('Hi', { view: { url: gone.url }, limits: { retriesMax: 1 } })).rejects.toMatchObject({
        code: 'unreachable',
        owner: 'network',
        next: expect.stringContaining('plug model list'),
      });
    });
  },
);

verifies(
  ['A1'],
  'a conversation that is too long loses its oldest results, which can be read again',
  async () => {
    await withAgent({}, async ({ hub, model, say }) => {
      const long = played(
        'long',
        reading('get_log', { lines: { bytes: 300_000, last: 'end' } }),
        reading('get_some', { text: 'x '.repeat(3_000) }),
      );
      await hub.servers.add({ definition: long.definition });
      model.answer(
        calls({ name: 'long__get_log' }),
        calls({ name: 'long__get_some' }),
        fail(400, {}, "This model's maximum context length is 8192 tokens."),
        text('Short.'),
      );
      const { outcome, events } = await say('Hi');
      expect(outcome).toMatchObject({ end: 'done', text: 'Short.' });
      expect(notesOf(events)).toContain('oldest tool results');
      expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(
        /taken out to make room. It is kept as result_[0-9a-f]+/,
      );
      const failed = fail(400, {}, 'prompt is too long: 9 tokens > 8 maximum');
      model.answer(failed);
      await expect(say('Hi')).rejects.toMatchObject({ code: 'too_large', next: 'Begin a new conversation.' });
      // Where the size is known, it is not even tried.
      const before = model.requests.length;
      model.answer(text('Fits.'));
      const known = await say(
        { messages: [user('Hi'), ...outcome.messages, user('More')] },
        { view: { contextTokens: 4_000 } },
      );
      expect(known.outcome.text).toBe('Fits.');
      expect(model.requests).toHaveLength(before + 1);
      expect(JSON.stringify(model.requests.at(-1)?.body).length).toBeLessThan(30_000);
    });
  },
);

verifies(['A1'], 'whoever cancels stops the running call and keeps what was there', async () => {
  await withAgent({}, async ({ hub, model, say }) => {
    const notes = played(
      'notes',
      reading('get_note', { silent: true }),
      reading('get_quick', { text: 'quick' }),
    );
    await hub.servers.add({ definition: notes.definition });
    const stop = new AbortController();
    model.answer(calls({ name: 'notes__get_note' }, { name: 'notes__get_quick' }));
    let ended = 0;
    const { outcome, events } = await say('Hi', {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'call-end' && ++ended === 1) stop.abort();
      },
    });
    expect(outcome).toMatchObject({ end: 'cut', error: { code: 'cancelled', owner: 'you' } });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'call-end', tool: 'notes/get_note', outcome: 'cancelled' }),
    );
    expect(outcome.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(JSON.stringify(outcome.messages[1])).toMatch(/cancelled.*quick/);
    model.answer(text('Fine.'));
    const next = await say({ messages: [user('Hi'), ...outcome.messages, user('Never mind')] });
    expect(next.outcome.text).toBe('Fine.');
    const { records } = await hub.audit.query();
    expect(records).toContainEqual(expect.objectContaining({ tool: 'get_note', outcome: 'cancelled' }));
  });
});

verifies(['A1'], 'cancelling ends the request to the model too, and keeps the words that came', async () => {
  await withAgent({}, async ({ model, say }) => {
    const stop = new AbortController();
    model.answer(stall(text('So far ')));
    const { outcome } = await say('Hi', {
      signal: stop.signal,
      onEvent: ({ kind }) => void (kind === 'text' && stop.abort()),
    });
    expect(outcome).toMatchObject({ end: 'cut', text: 'So far ', error: { code: 'cancelled' } });
    expect(outcome.messages).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'So far ' }] }]);
    await expect.poll(() => model.requests[0]?.gone()).toBe(true);
    const already = await say('Hi', { signal: AbortSignal.abort() });
    expect(already.outcome).toMatchObject({ end: 'cut', messages: [], error: { code: 'cancelled' } });
    expect(model.requests).toHaveLength(1);
  });
});

verifies(
  ['A1'],
  'a model that says nothing for too long is asked again, and one that is only slow is waited for',
  async () => {
    await withAgent({}, async ({ model, say }) => {
      model.answer(broken('silent'), stall(), slow(100, text('Late.')));
      const { outcome, events } = await say('Hi', {
        limits: { firstByteTimeoutMs: 600, quietTimeoutMs: 600 },
      });
      expect(outcome).toMatchObject({ end: 'done', text: 'Late.' });
      expect(retriesOf(events)).toMatchObject([
        { reason: expect.stringContaining('said nothing') },
        { attempt: 2 },
      ]);
    });
  },
);

test('an answer without a word, one that became too long, and one that was held back are said', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer(nothing(), { ...text('Long'), end: 'length' }, { ...text(), end: 'filter' });
    const empty = await say('Hi');
    expect(empty.outcome).toMatchObject({ end: 'done', text: '', messages: [] });
    expect(notesOf(empty.events)).toContain('gave no answer');
    expect((await say('Hi')).outcome.end).toBe('length');
    expect(notesOf((await say('Hi')).events)).toContain('held the answer back');
  });
});

test('reasoning is told apart from what is said, and pieces come together in order', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer({ ...text('So ', 'it ', 'is.'), reasoning: ['Let me ', 'think.'] });
    const { events } = await say('Hi', { limits: { textTogetherMs: 5_000 } });
    expect(events.filter(({ kind }) => kind === 'text' || kind === 'reasoning')).toEqual([
      { kind: 'reasoning', text: 'Let me think.' },
      { kind: 'text', text: 'So it is.' },
    ]);
  });
});

test('a price makes a cost', async () => {
  await withAgent({}, async ({ model, say }) => {
    model.answer({ ...text('x'), usage: { input: 1_000_000, output: 500_000 } });
    const { outcome } = await say('Hi', { view: { price: { input: 3, output: 10 } } });
    expect(outcome.usage).toEqual({
      inputTokens: 1_000_000,
      outputTokens: 500_000,
      steps: 1,
      calls: 0,
      cost: 8,
    });
  });
});
