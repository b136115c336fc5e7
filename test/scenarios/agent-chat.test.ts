import { expect, onTestFinished } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import { connectHub } from '../../src/api/client.ts';
import type { ChatEvent, Hub, ModelProvider } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { startHub, temporaryPaths } from '../contracts/running-hub.ts';
import { user, QUICK } from '../models/agent-world.ts';
import { broken, calls, drop, fail, stall, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { played, reading, writing } from './calls-played.ts';

/** A hub that listens, as a program at the other end of its socket sees it. */
async function overTheSocket(): Promise<Hub> {
  const paths = temporaryPaths();
  const open = () =>
    openHub({
      paths,
      cwd: paths.data,
      env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
      version: '1.0.0',
      storage: { kind: 'memory' },
      openAgent: (hub) => openAgent(hub, { limits: QUICK }),
    });
  const { send } = await startHub(open, { paths });
  const hub = connectHub(send);
  onTestFinished(() => hub.close());
  return hub;
}

async function turn(hub: Hub, said: string, signal?: AbortSignal, onEvent?: (event: ChatEvent) => void) {
  const events: ChatEvent[] = [];
  const outcome = await hub.chat.turn(
    { messages: [user(said)] },
    {
      ...(signal ? { signal } : {}),
      onProgress: (event) => {
        events.push(event);
        onEvent?.(event);
      },
    },
  );
  return { outcome, events };
}

verifies(
  ['A1'],
  'every provider is reached with the key from the vault, and what is shown on the way never holds it',
  async () => {
    const hub = await overTheSocket();
    const key = 'sk-canary-3f9a7c51d2';
    await using model = await startScriptedModel({ key });
    for (const provider of [
      'openai',
      'anthropic',
      'google',
      'compatible',
    ] as const satisfies readonly ModelProvider[]) {
      const url = provider === 'google' ? model.googleUrl : model.url;
      await hub.models.save({ name: provider, provider, model: 'scripted', url, key, isDefault: true });
      model.answer(
        fail(429, { 'retry-after': '0' }),
        drop(),
        broken('error', text()),
        text(`I am ${provider}. ${key}`),
      );
      const { outcome, events } = await turn(hub, 'Who are you?');
      expect(outcome).toMatchObject({ end: 'done', text: expect.stringContaining(`I am ${provider}.`) });
      expect(events.filter(({ kind }) => kind === 'retry')).toHaveLength(3);
      expect(JSON.stringify({ outcome, events })).not.toContain(key);
      model.answer(drop(text('Half ')));
      expect((await turn(hub, 'Hi')).outcome).toMatchObject({
        end: 'cut',
        text: 'Half ',
        error: { owner: 'network' },
      });
      await hub.models.save({
        name: provider,
        provider,
        model: 'scripted',
        url,
        key: 'wrong-key-000',
        isDefault: true,
      });
      await expect(turn(hub, 'Hi')).rejects.toMatchObject({
        code: 'sign_in_needed',
        next: `plug model add ${provider} --key`,
      });
    }
    expect(model.left()).toBe(0);
  },
);

verifies(
  ['A1', 'L8'],
  'whoever talks answers the approvals of their model, and cancels it, over the socket',
  async () => {
    const hub = await overTheSocket();
    await using model = await startScriptedModel();
    await hub.models.save({ name: 'local', provider: 'compatible', model: 'scripted', url: model.url });
    const notes = played(
      'notes',
      writing('create_note', { text: 'written' }),
      reading('get_note', { silent: true }),
    );
    await hub.servers.add({ definition: notes.definition });
    model.answer(calls({ name: 'notes__create_note', args: { text: 'a' } }), text('Written.'));
    const { outcome, events } = await turn(hub, 'Write it', undefined, (event) => {
      if (event.kind !== 'approval') return;
      const { id, argsHash, requester } = event.approval;
      expect(requester.name).toBe('plug chat');
      void hub.approvals.answer({ id, effect: 'allow', argsHash });
    });
    expect(outcome).toMatchObject({ end: 'done', text: 'Written.' });
    expect(events.map(({ kind }) => kind)).toEqual([
      'servers',
      'call-start',
      'approval',
      'approval-end',
      'call-end',
      'text',
      'usage',
    ]);
    expect(notes.calls()).toMatchObject([{ name: 'create_note', args: { text: 'a' } }]);

    const stop = new AbortController();
    model.answer(stall(text('Well ')));
    const cancelled = turn(hub, 'Talk', stop.signal, ({ kind }) => void (kind === 'text' && stop.abort()));
    const ended = await cancelled.then(
      ({ outcome: kept }) => kept.end,
      (error: unknown) => (error as { code?: string }).code,
    );
    // Whoever hangs up hears nothing more: over a wire what was said so far is in the events alone.
    expect(ended).toBe('cancelled');
    await expect.poll(() => model.requests.at(-1)?.gone()).toBe(true);
  },
);

verifies(['A1'], 'a model that is not there says so at once, with the next step', async () => {
  const hub = await overTheSocket();
  await expect(turn(hub, 'Hi')).rejects.toMatchObject({
    owner: 'you',
    next: expect.stringContaining('plug model add'),
  });
  const gone = await startScriptedModel();
  await gone.close();
  await hub.models.save({ name: 'gone', provider: 'compatible', model: 'scripted', url: gone.url });
  const events: ChatEvent[] = [];
  const failed = turn(hub, 'Hi', undefined, (event) => events.push(event));
  await expect(failed).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('Nothing listens'),
    next: expect.any(String),
  });
  expect(events.some(({ kind }) => kind === 'retry')).toBe(false);
});
