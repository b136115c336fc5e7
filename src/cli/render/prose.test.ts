import { expect, test } from 'vitest';
import { proseLines } from './prose.ts';

const plain = (lines: ReturnType<typeof proseLines>): readonly string[] =>
  lines.map((line) => line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''));

test('a long sentence is broken at words, beneath its own beginning', () => {
  const lines = proseLines([{ style: 'bad', text: '✖ ' }, 'x  '], 'One two three four five six seven.', 26);
  expect(plain(lines)).toEqual(['✖ x  One two three four', '     five six seven.']);
  expect(proseLines(['- '], { style: 'warn', text: 'a '.repeat(20).trim() }, 30)[1]?.[1]).toMatchObject({
    style: 'warn',
  });
});

test('a word that is too long stays whole, a line break is shown, and a pipe gets it unbroken', () => {
  const path = `/${'a'.repeat(60)}`;
  expect(plain(proseLines([], `It is in ${path} now.`, 40))).toEqual(['It is in', `    ${path}`, '    now.']);
  expect(plain(proseLines(['> '], 'one\n  two', 40))).toEqual([String.raw`> one\n  two`]);
  const long = 'word '.repeat(100).trim();
  expect(plain(proseLines(['✖ '], long, Number.POSITIVE_INFINITY))).toEqual([`✖ ${long}`]);
  expect(plain(proseLines([' '.repeat(30)], long, 40))).toEqual([`${' '.repeat(30)}${long}`]);
});
