import { expect, test } from 'vitest';
import { pairLines } from './pair-lines.ts';

test('what stayed stands beside itself, and what changed beside what it became', () => {
  expect(pairLines('a\nold\nc', 'a\nnew\nmore\nc').pairs).toEqual([
    { before: 'a', after: 'a', same: true },
    { before: 'old', after: 'new', same: false },
    { after: 'more', same: false },
    { before: 'c', after: 'c', same: true },
  ]);
});

test('a text that is new or gone has nothing beside it', () => {
  expect(pairLines('', 'x').pairs).toEqual([{ after: 'x', same: false }]);
  expect(pairLines('x', '').pairs).toEqual([{ before: 'x', same: false }]);
});

test('of a huge text the first lines are shown, and the others counted', () => {
  const { pairs, left } = pairLines('', Array.from({ length: 5_000 }, (_, at) => `${at}`).join('\n'));
  expect([pairs.length, left]).toEqual([2_000, 3_000]);
});
