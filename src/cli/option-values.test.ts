import { expect, test } from 'vitest';
import { parsePattern, parseSince, parseUntil } from './option-values.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

test('spans and dates are read as people write them', () => {
  expect(parseUntil('2h', NOW)).toBe(NOW + 7_200_000);
  expect(parseUntil('30d', NOW)).toBe(NOW + 30 * 86_400_000);
  expect(parseSince('1w', NOW)).toBe(NOW - 7 * 86_400_000);
  expect(parseUntil('2026-12-01T18:00:00Z', NOW)).toBe(Date.parse('2026-12-01T18:00:00Z'));
});

test('a bare date lasts to its end and begins at its beginning, where the person is', () => {
  const [from, to] = [parseSince('2026-12-01', NOW), parseUntil('2026-12-01', NOW)];
  expect(new Date(from).getHours()).toBe(0);
  expect(to - from).toBe(86_400_000 - 1);
});

test('what is over, or is no date, is refused', () => {
  for (const text of ['2026-01-01', '0h', 'soon', '2026-02-30', '12', '1999-99-99T00:00', '']) {
    expect(() => parseUntil(text, NOW)).toThrow(/over already|does not understand/);
  }
});

test('a pattern is words or JSON, and never ambiguous', () => {
  expect(parsePattern(['repo=acme/*', 'a.b=x=y'])).toEqual({ repo: 'acme/*', 'a.b': 'x=y' });
  expect(parsePattern(['{"n": 3, "repo": "acme/*"}'])).toEqual({ n: '3', repo: 'acme/*' });
  for (const words of [['repo'], ['=x'], ['{"a":{"b":1}}'], ['{oops'], ['a=1', 'a=2']]) {
    expect(() => parsePattern(words)).toThrow();
  }
});
