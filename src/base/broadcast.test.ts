import { expect, test } from 'vitest';
import { Broadcast } from './broadcast.ts';

test('every reader gets every value that is sent after it began to read', async () => {
  const broadcast = new Broadcast<number>(10);
  const [one, two] = [broadcast.read({}), broadcast.read({})];
  broadcast.send(1);
  const late = broadcast.read({});
  broadcast.send(2);
  broadcast.close();
  expect(await Array.fromAsync(one)).toEqual([1, 2]);
  expect(await Array.fromAsync(two)).toEqual([1, 2]);
  expect(await Array.fromAsync(late)).toEqual([2]);
});

test('a reader that does not keep up loses the oldest values and is told how many', async () => {
  const broadcast = new Broadcast<number>(2);
  const dropped: number[] = [];
  const reader = broadcast.read({ onDropped: (count) => dropped.push(count) });
  for (const value of [1, 2, 3, 4, 5]) broadcast.send(value);
  broadcast.close();
  expect(await Array.fromAsync(reader)).toEqual([4, 5]);
  expect(dropped).toEqual([3]);
});

test('an aborted signal ends the reading and leaves nothing behind', async () => {
  const broadcast = new Broadcast<number>(2);
  const abort = new AbortController();
  const reading = Array.fromAsync(broadcast.read({ signal: abort.signal }));
  expect(broadcast.readers).toBe(1);
  abort.abort();
  expect(await reading).toEqual([]);
  expect(broadcast.readers).toBe(0);
});

test('a reader that leaves its loop is forgotten', async () => {
  const broadcast = new Broadcast<number>(2);
  const reader = broadcast.read({});
  broadcast.send(1);
  for await (const value of reader) {
    expect(value).toBe(1);
    break;
  }
  expect(broadcast.readers).toBe(0);
});
