import { array, assert, asyncProperty, constantFrom, nat, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type ReceivedEvent } from './exchange.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

async function read(text: string, cuts: readonly number[], max = 1_000_000): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of readEvents(chunksOf(new TextEncoder().encode(text), cuts), max))
    events.push(event);
  return events;
}

test('events come out the same however the bytes are cut', async () => {
  const events = array(record({ event: constantFrom('result', 'progress'), value: string() }));
  const cuts = array(nat(400));
  await assert(
    asyncProperty(events, cuts, async (given, at) => {
      const sent = given.map(({ event, value }) => ({ event, data: JSON.stringify(`ü${value}🎉`) }));
      const text = `: open\n\n${sent.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('')}`;
      const size = new TextEncoder().encode(text).length;
      expect(
        await read(
          text,
          at.filter((cut) => cut < size),
        ),
      ).toEqual(sent);
    }),
  );
});

test('an event that never ends is refused instead of filling the memory', async () => {
  await expect(read(`data: ${'x'.repeat(100)}`, [50], 60)).rejects.toMatchObject({ code: 'too_large' });
  expect(await read('data: 1\n\n', [3], 60)).toEqual([{ event: 'message', data: '1' }]);
});
