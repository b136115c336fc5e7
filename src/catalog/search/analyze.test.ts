import { expect, test } from 'vitest';
import { Analyzer } from './analyze.ts';
import { editsBetween } from '../../base/edit-distance.ts';
import { stem } from '../../base/stem.ts';

test('identifiers are split where their writers split them', () => {
  const analyzer = new Analyzer();
  expect(analyzer.terms('createPullRequest')).toEqual(['creat', 'pull', 'request']);
  expect(analyzer.terms('list_pull-requests.v2')).toEqual(['list', 'pull', 'request', 'v', '2', 'v2']);
  expect(analyzer.terms('parseHTTPHeader')).toEqual(['pars', 'http', 'header']);
  expect(analyzer.terms('GitHub')).toEqual(['git', 'hub', 'github']);
  expect(analyzer.terms('ＦＵＬＬ width')).toEqual(['full', 'width']);
  expect(analyzer.terms('搜索文件 and 好')).toEqual(['搜索', '索文', '文件', '好']);
  expect(analyzer.terms('Please use this tool')).toEqual([]);
});

test('words of one family have one stem, and words that only look alike have not', () => {
  for (const family of [
    'create creates created creating creation',
    'query queries queried',
    'analysis analyze analyzing',
    'sent send sends',
    'relational relate',
  ])
    expect(new Set(family.split(' ').map(stem)).size, family).toBe(1);
  for (const [one, other] of [
    ['news', 'new'],
    ['animal', 'animation'],
    ['general', 'generate'],
    ['past', 'paste'],
  ] as const)
    expect(stem(one)).not.toBe(stem(other));
});

test('edits are counted up to a bound, a swap as one', () => {
  expect(editsBetween('weather', 'weahter', 2)).toBe(1);
  expect(editsBetween('calendar', 'calender', 2)).toBe(1);
  expect(editsBetween('mail', 'email', 2)).toBe(1);
  expect(editsBetween('kitten', 'sitting', 2)).toBe(3);
  expect(editsBetween('a', 'abcdef', 2)).toBe(3);
});
