import { expect, test } from 'vitest';
import { quotePath } from './quote.ts';

test('a path in advice can be pasted into a shell', () => {
  expect(quotePath('/home/me/plug.db')).toBe('/home/me/plug.db');
  expect(quotePath('/Users/me/Application Support/plug.db')).toBe("'/Users/me/Application Support/plug.db'");
  expect(quotePath("/it's/$HOME")).toBe(String.raw`'/it'\''s/$HOME'`);
});
