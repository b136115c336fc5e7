import type { UnderlyingSource } from 'node:stream/web';
import { expect, test, vi } from 'vitest';
import { systemClock, type Clock } from '../../base/clock.ts';
import { verifies } from '../../../test/requirements.ts';
import { boundedStream } from './bounded-stream.ts';
import { modelLimits } from './providers.ts';

function answering(source: UnderlyingSource<Uint8Array>, type = 'text/event-stream'): Response {
  return new Response(new ReadableStream(source), { headers: { 'content-type': type } });
}

/** A clock whose timers fire when the test says so. */
function handClock(): { readonly clock: Clock; readonly fire: () => void; readonly waits: number[] } {
  let run = (): void => undefined;
  const waits: number[] = [];
  const after: Clock['after'] = (ms, then) => {
    waits.push(ms);
    run = then;
    return () => (run = () => undefined);
  };
  return { clock: { ...systemClock, after }, fire: () => run(), waits };
}

verifies(
  ['A1'],
  'a model that falls silent in the middle is given up, and what it said is kept',
  async () => {
    const { clock, fire, waits } = handClock();
    let given = 0;
    let ended: unknown;
    const response = boundedStream(
      answering({
        pull: (controller) => {
          given += 1;
          if (given === 1) controller.enqueue(Buffer.from('data: hello\n\n'));
          return given === 1 ? undefined : new Promise(() => undefined);
        },
        cancel: (reason) => void (ended = reason),
      }),
      { place: 'h.test:443', clock },
    );
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: hello\n\n');
    const next = reader?.read();
    await vi.waitFor(() => expect(waits).toHaveLength(2));
    fire();
    await expect(next).rejects.toMatchObject({
      code: 'call_timeout',
      message: expect.stringContaining('h.test:443') as string,
    });
    expect(ended).toMatchObject({ code: 'call_timeout' });
    expect(new Set(waits)).toEqual(new Set([modelLimits.idleMs]));
  },
);

test('a model that does not stop is stopped', async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
  const response = boundedStream(answering({ pull: (controller) => controller.enqueue(chunk) }), {
    place: 'h.test:443',
    clock: systemClock,
  });
  await expect(response.bytes()).rejects.toMatchObject({ code: 'too_large' });
});

test('an answer that came whole passes as it is', () => {
  const response = answering({}, 'application/json');
  expect(boundedStream(response, { place: 'h.test:443', clock: systemClock })).toBe(response);
});
