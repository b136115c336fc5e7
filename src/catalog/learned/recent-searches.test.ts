import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { learnedLimits as limits } from './limits.ts';
import { RecentSearches } from './recent-searches.ts';

function at(start = 0) {
  const clock = { now: start, monotonic: () => clock.now };
  return { clock, recent: new RecentSearches(clock) };
}

const found = (query: string, ...tools: readonly string[]) => ({ terms: query.split(' '), tools });

verifies(['T7'], 'the last search that found a tool is what led to it, once, and only for a while', () => {
  const { clock, recent } = at();
  recent.add('ada', [found('send letter', 'a/x', 'a/y')]);
  recent.add('ada', [found('write mail', 'a/x'), found('read mail', 'a/z')]);
  expect(recent.take('bob', 'a/x')).toEqual([]);
  expect(recent.take('ada', 'a/x')).toEqual(['write mail']);
  expect(recent.take('ada', 'a/x')).toEqual(['send letter']);
  expect(recent.take('ada', 'a/x')).toEqual([]);
  clock.now += limits.searchAgeMsMax;
  expect(recent.take('ada', 'a/y')).toEqual(['send letter']);
  clock.now += 1;
  expect(recent.take('ada', 'a/z')).toEqual([]);
  expect(recent.has('ada')).toBe(false);
});

test('callers, searches and words are bounded, and what says nothing or finds nothing is not kept', () => {
  const { recent } = at();
  recent.add('ada', [found('nothing'), { terms: [], tools: ['a/x'] }]);
  expect(recent.has('ada')).toBe(false);
  const long = Array.from({ length: limits.termsPerQueryMax + 5 }, (_, place) => `w${place}`);
  recent.add('ada', [{ terms: long, tools: ['a/x'] }]);
  expect(recent.take('ada', 'a/x')[0]?.split(' ')).toHaveLength(limits.termsPerQueryMax);
  for (let place = 0; place <= limits.searchesPerCallerMax; place += 1)
    recent.add('ada', [found('again', `a/${place}`)]);
  expect(recent.take('ada', 'a/0')).toEqual([]);
  expect(recent.take('ada', 'a/1')).toEqual(['again']);
  for (let place = 0; place < limits.callersMax; place += 1)
    recent.add(`caller ${place}`, [found('a', 'a/x')]);
  expect(recent.has('ada')).toBe(false);
  expect(recent.has('caller 0')).toBe(true);
});
