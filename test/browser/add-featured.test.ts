import { expect, test } from 'vitest';
import { getFeatured } from '../../src/servers/featured.ts';
import { FEATURED } from '../../web/src/add/featured.ts';

test('every well-known server that the page offers is known to the hub by those words', () => {
  expect(FEATURED.filter(({ words }) => getFeatured(words) === undefined)).toEqual([]);
});
