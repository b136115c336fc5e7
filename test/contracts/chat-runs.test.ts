import { describe, expect, onTestFinished } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import { connectHub } from '../../src/api/client.ts';
import { fetchSend } from '../../src/api/fetch-send.ts';
import type { ChatEvent, ChatOutcome, Hub } from '../../src/hub/hub.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { QUICK, user } from '../models/agent-world.ts';
import { calls, stall, startScriptedModel, text, type ScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { played, writing } from '../scenarios/calls-played.ts';
import { waitFor } from '../servers/start.ts';
import { openMemoryHub, startHub } from './running-hub.ts';

interface World {
  /** Each call is another program that talks to the same hub. */
  readonly connect: () => Hub;
  readonly model: ScriptedModel;
}

const openAgentQuickly = { openAgent: (hub: Hub) => openAgent(hub, { limits: QUICK }) };

const WAYS: Readonly<Record<string, () => Promise<() => Hub>>> = {
  'in this process': async () => {
    const hub = await openMemoryHub(openAgentQuickly);
    onTestFinished(() => hub.close());
    let number = 0;
    return () => hub.as({ id: `caller-${(number += 1)}`, kind: 'page', principal: LOCAL });
  },
  'over the socket': async () => {
    const { send } = await startHub(() => openMemoryHub(openAgentQuickly));
    return () => connectHub(send);
  },
  'over HTTP': async () => {
    const { address, token } = await startHub(() => openMemoryHub(openAgentQuickly));
    return () => connectHub(fetchSend({ url: address.url, token }));
  },
};

for (const [way, open] of Object.entries(WAYS)) {
  describe(`turns that run in the hub, ${way}`, () => {
    verifies(
      ['W4', 'A1'],
      'a caller that goes away ends nothing: another one is told everything from the beginning, and the end',
      async () => {
        const { connect, model } = await world(open);
        model.answer(calls({ name: 'notes__create_note', args: { title: 'Milk' } }), text('Written.'));
        const first = begin(connect(), 'one');
        await waitFor(() => first.events.some(({ kind }) => kind === 'approval'));
        first.leave();
        await expect(first.outcome).rejects.toMatchObject({ code: 'cancelled' });
        const other = connect();
        const second = follow(other, 'one');
        await waitFor(() => second.events.some(({ kind }) => kind === 'approval'));
        expect(kindsOf(second.events)).toEqual(kindsOf(first.events));
        const [approval] = await other.approvals.list();
        await other.approvals.answer({
          id: approval?.id ?? '',
          effect: 'allow',
          argsHash: approval?.argsHash ?? '',
        });
        expect(await second.outcome).toMatchObject({ end: 'done', text: 'Written.' });
        // It has ended, and is still told to whoever comes late.
        const late = follow(connect(), 'one');
        expect(await late.outcome).toEqual(await second.outcome);
        expect(textIn(late.events)).toBe('Written.');
        expect(late.events.find(({ kind }) => kind === 'call-end')).toMatchObject({ outcome: 'completed' });
      },
    );

    verifies(['W4'], 'any caller stops a turn, and the model is let go', async () => {
      const { connect, model } = await world(open);
      model.answer(stall(text('Once upon ')));
      const told = begin(connect(), 'story');
      await waitFor(() => textIn(told.events) === 'Once upon ');
      await connect().chat.stop({ run: 'story' });
      expect(await told.outcome).toMatchObject({ end: 'cut', error: { code: 'cancelled' } });
      await waitFor(() => model.requests.at(-1)?.gone() === true);
      // Stopping again changes nothing.
      await connect().chat.stop({ run: 'story' });
    });

    verifies(
      ['W4'],
      'a run that nobody began is unknown, and one that exists is not begun again',
      async () => {
        const { connect, model } = await world(open);
        await expect(follow(connect(), 'none').outcome).rejects.toMatchObject({ code: 'not_found' });
        await expect(connect().chat.stop({ run: 'none' })).rejects.toMatchObject({ code: 'not_found' });
        model.answer(text('Hi.'));
        expect(await begin(connect(), 'one').outcome).toMatchObject({ text: 'Hi.' });
        await expect(begin(connect(), 'one').outcome).rejects.toMatchObject({ code: 'already_exists' });
        expect(model.requests).toHaveLength(1);
      },
    );

    verifies(['A1'], 'without a run, a turn still ends with its caller', async () => {
      const { connect, model } = await world(open);
      model.answer(stall(text('Once upon ')));
      const told = begin(connect());
      await waitFor(() => textIn(told.events) === 'Once upon ');
      told.leave();
      await waitFor(() => model.requests.at(-1)?.gone() === true);
      await expect(connect().chat.stop({ run: 'story' })).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}

async function world(open: () => Promise<() => Hub>): Promise<World> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const connectOne = await open();
  const connect = (): Hub => {
    const hub = connectOne();
    onTestFinished(() => hub.close());
    return hub;
  };
  const hub = connect();
  await hub.servers.add({ definition: played('notes', writing('create_note')).definition });
  await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
  return { connect, model };
}

interface Told {
  readonly events: readonly ChatEvent[];
  readonly outcome: Promise<ChatOutcome>;
  readonly leave: () => void;
}

function begin(hub: Hub, run?: string): Told {
  const messages = [user('Write it down')];
  return hear((options) => hub.chat.turn({ messages, ...(run === undefined ? {} : { run }) }, options));
}

function follow(hub: Hub, run: string): Told {
  return hear((options) => hub.chat.follow({ run }, options));
}

function hear(ask: (options: Parameters<Hub['chat']['turn']>[1]) => Promise<ChatOutcome>): Told {
  const events: ChatEvent[] = [];
  const gone = new AbortController();
  const outcome = ask({ signal: gone.signal, onProgress: (event) => void events.push(event) });
  outcome.catch(() => undefined); // looked at later
  return { events, outcome, leave: () => gone.abort() };
}

function kindsOf(events: readonly ChatEvent[]): readonly string[] {
  return events.map(({ kind }) => kind);
}

function textIn(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}
