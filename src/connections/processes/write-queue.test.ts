import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { WriteQueue } from './write-queue.ts';

/** A stream that takes one write at a time and finishes it when told to. */
function slowStream(): { stream: Writable; writes: string[]; finish: () => void } {
  const writes: string[] = [];
  let done: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 10,
    decodeStrings: false,
    write: (chunk: string, _encoding, callback) => {
      writes.push(chunk);
      done = () => callback();
    },
  });
  return { stream, writes, finish: () => done?.() };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('lines of one tick go out together and in order', async () => {
  const { stream, writes } = slowStream();
  const queue = new WriteQueue({ stream, bytesMax: 1_000 });
  await Promise.all([queue.write('a'), queue.write('b'), queue.write('c')]);
  await tick();
  expect(writes).toEqual(['a\nb\nc\n']);
});

test('while the server does not read, senders wait; when it reads again, all arrive in order', async () => {
  const { stream, writes, finish } = slowStream();
  const queue = new WriteQueue({ stream, bytesMax: 1_000 });
  await queue.write('first line');
  await tick();
  let settled = 0;
  const later = ['second', 'third'].map((line) => queue.write(line).then(() => (settled += 1)));
  await tick();
  expect(settled).toBe(0);
  finish();
  await tick();
  finish();
  await Promise.all(later);
  expect(writes).toEqual(['first line\n', 'second\nthird\n']);
  expect(stream.listenerCount('drain')).toBe(1);
});

test('more than the limit is refused, and what was accepted before still goes out', async () => {
  const { stream, writes, finish } = slowStream();
  const queue = new WriteQueue({ stream, bytesMax: 40 });
  await queue.write('x'.repeat(20));
  await tick();
  const accepted = queue.write('small');
  await expect(queue.write('y'.repeat(30))).rejects.toMatchObject({ code: 'unavailable', owner: 'server' });
  finish();
  await accepted;
  expect(writes.join('')).toBe(`${'x'.repeat(20)}\nsmall\n`);
});

test('when the server goes away, every waiting sender is told, and so is every later one', async () => {
  const { stream } = slowStream();
  const queue = new WriteQueue({ stream, bytesMax: 1_000 });
  await queue.write('x'.repeat(20));
  await tick();
  const waiting = [queue.write('a'), queue.write('b')];
  stream.destroy(new Error('EPIPE'));
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'crashed' });
  await expect(queue.write('c')).rejects.toMatchObject({ code: 'crashed' });
  expect(queue.pendingBytes).toBeLessThan(30);
});
