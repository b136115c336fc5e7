import { expect, test } from 'vitest';
import { Cleanup } from './cleanup.ts';

test('what was opened is closed in the opposite order, once', async () => {
  const closed: string[] = [];
  const cleanup = new Cleanup();
  cleanup.defer(() => void closed.push('first'));
  cleanup.use({ [Symbol.asyncDispose]: () => Promise.resolve(void closed.push('second')) });
  await cleanup.disposeAsync();
  await cleanup.disposeAsync();
  expect(closed).toEqual(['second', 'first']);
});

test('a step that fails does not skip the others, and every failure is told', async () => {
  const closed: string[] = [];
  const cleanup = new Cleanup();
  cleanup.defer(() => void closed.push('first'));
  cleanup.defer(() => Promise.reject(new Error('one')));
  cleanup.defer(() => {
    throw new Error('two');
  });
  await expect(cleanup.disposeAsync()).rejects.toBeInstanceOf(AggregateError);
  expect(closed).toEqual(['first']);
});

test('what was handed over is closed by its new owner alone', async () => {
  const closed: string[] = [];
  const open = async (): Promise<Cleanup> => {
    await using half = new Cleanup();
    half.defer(() => void closed.push('it'));
    return half.move();
  };
  const whole = await open();
  expect(closed).toEqual([]);
  await whole.disposeAsync();
  expect(closed).toEqual(['it']);
});
