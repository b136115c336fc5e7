import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { keysIn, readKeys } from './key-input.ts';

test('several keys in one chunk are several keys, and the arrows have names', () => {
  expect(keysIn('jk \r')).toEqual(['j', 'k', 'space', 'enter']);
  expect(keysIn('\u001b[A\u001bOBx')).toEqual(['up', 'down', 'x']);
  expect(keysIn('\u001b')).toEqual(['escape']);
  expect(keysIn('\u0003')).toEqual(['interrupt']);
  expect(keysIn('\u001b[5~Ä')).toEqual(['ä']);
});

test('the terminal is as it was when the reading ends, and when it is cut off', async () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => modes.push(on) });
  const heard: string[] = [];
  input.write('ab');
  for await (const key of readKeys(input, new AbortController().signal)) {
    heard.push(key);
    if (heard.length === 2) break;
  }
  expect({ heard, modes }).toEqual({ heard: ['a', 'b'], modes: [true, false] });
  const stop = new AbortController();
  const read = async (): Promise<void> => {
    for await (const key of readKeys(input, stop.signal)) heard.push(key);
  };
  const reading = read();
  stop.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  expect(modes).toEqual([true, false, true, false]);
  expect(input.listenerCount('data')).toBe(0);
});
