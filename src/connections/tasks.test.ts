import { expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { type Frame, Link } from '../../test/scenarios/lifecycle-link.ts';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { HostHandlers } from './host.ts';
import type { Era } from './manifest.ts';
import { Peer } from './peer.ts';
import { InFlight } from './in-flight.ts';
import { inboundFor } from './inbound.ts';
import { Session } from './session.ts';
import { CallPermit } from './permit.ts';
import { callAsTask, finishTask } from './tasks.ts';

/** A session whose server answers each method with the next of its answers, the last one for ever. */
function sessionOn(
  era: Era,
  clock: StandingClock,
  answers: Record<string, object[]>,
  handlers: HostHandlers = {},
) {
  const link = new Link((frame: Frame, self) => {
    const known = answers[frame.method ?? ''];
    const answer = known && known.length > 1 ? known.shift() : known?.[0];
    if (answer) self.answer(frame, answer);
  });
  const nothing = (): void => undefined;
  const events = {
    onListChange: nothing,
    onResourceUpdate: nothing,
    onTaskStatus: nothing,
    onLog: nothing,
    onHostWanted: nothing,
    onEnd: nothing,
  };
  const common = { server: 'one', handlers, events, inFlight: new InFlight(), host: undefined, local: true };
  const endError = (): PlugError => new PlugError('crashed', 'Gone.', { owner: 'server' });
  const peer = new Peer({
    transport: link,
    clock,
    endError,
    onEnd: nothing,
    ...common,
    ...inboundFor(common),
  });
  const protocolVersion = era === 'modern' ? '2026-07-28' : '2025-11-25';
  const agreement = { era, protocolVersion, serverInfo: {}, capabilities: {} };
  const session = new Session({
    ...common,
    peer,
    agreement,
    transport: 'stdio',
    clientInfo: {},
    clock,
    limits,
  });
  const sent = (method: string): readonly Frame[] => link.sent.filter((frame) => frame.method === method);
  return { session, sent };
}

const task = (status: string, more: JsonObject = {}): JsonObject => ({
  taskId: 't1',
  status,
  pollIntervalMs: 100,
  ...more,
});

verifies(
  ['C15'],
  'a modern task is followed, asked for input, and answers with the result of its tool',
  async () => {
    const clock = standingClock();
    const inputRequests = { who: { method: 'elicitation/create', params: { message: 'Who?' } } };
    const { session, sent } = sessionOn(
      'modern',
      clock,
      {
        'tasks/get': [
          task('working', { statusMessage: 'half' }),
          task('input_required', { inputRequests }),
          task('completed', { result: { content: [{ type: 'text', text: 'done' }] } }),
        ],
        'tasks/update': [{}],
      },
      { elicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }) },
    );
    const notes: unknown[] = [];
    const result = finishTask(session, task('working'), {
      clock,
      limits,
      timeoutMs: 60_000,
      onProgress: ({ message }) => notes.push(message),
    });
    await clock.advance(2_000);
    expect(await result).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(sent('tasks/update')[0]?.params).toMatchObject({
      taskId: 't1',
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    });
    expect(notes[0]).toBe('one (server): half');
    expect(sent('tasks/cancel')).toEqual([]);
  },
);

verifies(
  ['C15', 'C6'],
  'whoever leaves a task takes it along, and a task without a sign of life is over',
  async () => {
    const clock = standingClock();
    const { session, sent } = sessionOn('modern', clock, {
      'tasks/get': [task('working')],
      'tasks/cancel': [{}],
    });
    const abort = new AbortController();
    const options = { clock, limits, timeoutMs: 5_000 };
    const left = finishTask(session, task('working'), { ...options, signal: abort.signal });
    const leaving = expect(left).rejects.toMatchObject({ code: 'cancelled' });
    await clock.advance(500);
    abort.abort();
    await leaving;
    expect(sent('tasks/cancel')).toHaveLength(1);

    const stuck = finishTask(session, task('working'), options);
    const ended = expect(stuck).rejects.toMatchObject({ code: 'call_timeout' });
    await clock.advance(6_000);
    await ended;
    expect(sent('tasks/cancel')).toHaveLength(2);
  },
);

test('a task that fails or is cancelled by its server says so', async () => {
  for (const [last, code] of [
    [task('failed', { error: { code: -32000, message: 'no luck' } }), 'server_error'],
    [task('cancelled'), 'cancelled'],
    [task('lost'), 'protocol_error'],
  ] as const) {
    const clock = standingClock();
    const { session } = sessionOn('modern', clock, { 'tasks/get': [last] });
    const ended = expect(
      finishTask(session, task('working'), { clock, limits, timeoutMs: 5_000 }),
    ).rejects.toMatchObject({ code });
    await clock.advance(1_000);
    await ended;
  }
});

verifies(
  ['C15'],
  'an old tool that runs only as a task is created, polled, and its result fetched',
  async () => {
    const clock = standingClock();
    const { session, sent } = sessionOn('legacy', clock, {
      'tools/call': [{ task: task('working') }],
      'tasks/get': [task('working'), task('completed')],
      'tasks/result': [{ content: [] }],
    });
    const args = {};
    const permit = CallPermit.mint('long', args, undefined);
    const options = { clock, limits, timeoutMs: 60_000 };
    const result = callAsTask(session, permit, { name: 'long', arguments: args }, options);
    await clock.advance(2_000);
    expect(await result).toEqual({ content: [] });
    expect(sent('tools/call')[0]?.params).toMatchObject({ task: { ttl: expect.any(Number) } });
    expect(sent('tasks/get')).toHaveLength(2);
  },
);
