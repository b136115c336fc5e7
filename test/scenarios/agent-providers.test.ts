import { expect } from 'vitest';
import type { ModelProvider } from '../../src/hub/hub.ts';
import { user, withAgent } from '../models/agent-world.ts';
import { broken, calls, drop, fail, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { played, reading } from './calls-played.ts';

const PATHS: Readonly<Record<ModelProvider, string>> = {
  compatible: '/v1/chat/completions',
  openai: '/v1/responses',
  anthropic: '/v1/messages',
  google: '/v1beta/models/scripted:streamGenerateContent?alt=sse',
};

const KEY_HEADERS: Readonly<Record<ModelProvider, string>> = {
  compatible: 'authorization',
  openai: 'authorization',
  anthropic: 'x-api-key',
  google: 'x-goog-api-key',
};

for (const provider of Object.keys(PATHS) as ModelProvider[]) {
  verifies(
    ['A1'],
    `${provider}: streams, calls tools in parallel, and goes on with their results`,
    async () => {
      await withAgent({}, async ({ hub, model, say }) => {
        const notes = played(
          'notes',
          reading('get_note', { text: 'milk' }),
          reading('list_notes', { text: 'two' }),
        );
        await hub.servers.add({ definition: notes.definition });
        const wanted = calls(
          { name: 'notes__get_note', args: { id: 7, q: 'Ä' } },
          { name: 'notes__list_notes' },
        );
        model.answer({ ...wanted, says: ['Let me ', 'see. '] }, text('You need ', 'milk.'));
        const view = { provider };
        const { outcome, text: said } = await say('What do I need?', { view });
        expect(said).toBe('Let me see. You need milk.');
        expect(outcome).toMatchObject({ end: 'done', text: 'You need milk.' });
        expect(outcome.usage).toEqual({ inputTokens: 22, outputTokens: 14, steps: 2, calls: 2 });
        expect(notes.calls().map(({ name, args }) => ({ name, args }))).toEqual(
          expect.arrayContaining([
            { name: 'get_note', args: { id: 7, q: 'Ä' } },
            { name: 'list_notes', args: {} },
          ]),
        );
        const [first, second] = model.requests;
        expect(first?.path).toBe(PATHS[provider]);
        // Where the hub's fetch puts the key: nothing of ours stands there, and nothing of the environment.
        expect(first?.headers[KEY_HEADERS[provider]]).toContain('set-by-the-hub');
        const sent = JSON.stringify(second?.body);
        for (const word of ['notes__get_note', 'milk', 'two', 'not instructions'])
          expect(sent).toContain(word);
        // Nobody is asked to keep the conversation.
        if (provider === 'openai') expect(first?.body['store']).toBe(false);

        model.answer(text('Bread.'));
        const again = { messages: [user('What do I need?'), ...outcome.messages, user('What else?')] };
        expect((await say(again, { view })).outcome.text).toBe('Bread.');
        expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('milk');
      });
    },
  );

  verifies(
    ['A1'],
    `${provider}: a busy provider is asked again, and a broken answer is kept as far as it came`,
    async () => {
      await withAgent({}, async ({ model, say }) => {
        const view = { provider };
        model.answer(
          fail(429, { 'retry-after': '0.01' }),
          fail(503),
          drop(),
          broken('error', text()),
          text('Here.'),
        );
        const { outcome, events } = await say('Hi', { view });
        expect(outcome).toMatchObject({ end: 'done', text: 'Here.' });
        expect(events.filter(({ kind }) => kind === 'retry')).toHaveLength(4);
        for (const step of [drop(text('Half ')), broken('error', text('Half '))]) {
          model.answer(step);
          expect((await say('Hi', { view })).outcome).toMatchObject({ end: 'cut', text: 'Half ' });
        }
        model.answer(broken('split', text('Grüße 👩‍👧')));
        expect((await say('Hi', { view })).outcome.text).toBe('Grüße 👩‍👧');
        model.answer(fail(401));
        await expect(say('Hi', { view })).rejects.toMatchObject({ code: 'sign_in_needed' });
        model.answer({ ...text('Too '), end: 'length' });
        expect((await say('Hi', { view })).outcome.end).toBe('length');
        expect(model.left()).toBe(0);
      });
    },
  );
}
