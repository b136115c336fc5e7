import { expect, test } from 'vitest';
import { exactShellWord, shellWord } from './shell-words.ts';

test('a path in advice can be pasted into a shell, and names the same file there', () => {
  expect(shellWord('/home/me/plug.db')).toBe('/home/me/plug.db');
  expect(shellWord('/Users/me/Application Support/plug.db')).toBe("'/Users/me/Application Support/plug.db'");
  expect(shellWord("/it's/$HOME")).toBe(String.raw`'/it'\''s/$HOME'`);
  expect(shellWord('~/plug.db')).toBe("'~/plug.db'");
});

test('a word with a control character is written in numbers, whatever word came before it', () => {
  const before = exactShellWord('abc\u0007\n');
  expect(before).toBeUndefined();
  expect(exactShellWord('a\u0007b')).toBe(String.raw`"$(printf 'a\007b')"`);
});
