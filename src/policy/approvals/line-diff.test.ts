import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './preview.ts';

const options = { path: 'notes.txt', editsMax: 1_000 };

test('a changed line is shown with the lines around it, as diff -u does', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ''].join('\n');
  expect(unifiedDiff(before, before.replace('e', 'E'), options)).toBe(
    [
      '--- notes.txt',
      '+++ notes.txt',
      '@@ -2,7 +2,7 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+E',
      ' f',
      ' g',
      ' h',
    ].join('\n'),
  );
  expect(unifiedDiff(before, before, options)).toBe('');
});

test('a new text, an empty one and a missing last newline are written as patch expects them', () => {
  expect(unifiedDiff('', 'a\n', options)).toContain('@@ -0,0 +1 @@\n+a');
  expect(unifiedDiff('a\n', '', options)).toContain('@@ -1 +0,0 @@\n-a');
  expect(unifiedDiff('a', 'a\n', options)).toContain('-a\n\\ No newline at end of file\n+a');
});

test('any diff, applied to the old text, gives the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y')).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, fc.constantFrom(0, 2, 1_000), (before, after, editsMax) => {
      expect(apply(before, unifiedDiff(before, after, { path: 'x', editsMax }))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test('two texts that have nothing in common are not compared beyond the limit', () => {
  const old = Array.from({ length: 5_000 }, (_, index) => `old ${index}`).join('\n');
  const fresh = Array.from({ length: 5_000 }, (_, index) => `new ${index}`).join('\n');
  const diff = unifiedDiff(old, fresh, { path: 'x', editsMax: 100 });
  expect(diff.split('\n').filter((line) => line.startsWith('-old'))).toHaveLength(5_000);
  expect(apply(old, diff)).toBe(fresh);
});

/** What `patch` does with a diff that fits. */
function apply(before: string, diff: string): string {
  if (diff === '') return before;
  const old = before === '' ? [] : before.split('\n');
  if (before.endsWith('\n')) old.pop();
  const made: string[] = [];
  let at = 0;
  let newline = before.endsWith('\n');
  const lines = diff.split('\n').slice(2);
  for (const [index, line] of lines.entries()) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      made.push(...old.slice(at, start));
      at = start;
    } else if (line.startsWith('\\')) {
      continue;
    } else {
      if (!line.startsWith('+')) expect(old[at]).toBe(line.slice(1));
      if (!line.startsWith('+')) at += 1;
      if (line.startsWith('-')) continue;
      made.push(line.slice(1));
      newline = !lines[index + 1]?.startsWith('\\');
    }
  }
  if (at < old.length) newline = before.endsWith('\n');
  made.push(...old.slice(at));
  return made.length === 0 ? '' : made.join('\n') + (newline ? '\n' : '');
}
