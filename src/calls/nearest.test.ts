import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test('a slip of the finger finds the tool that was meant', () => {
  const tools = ['echo', 'get-sum', 'list_issues', 'long-running'];
  expect(nearest('ehco', tools)).toEqual(['echo']);
  expect(nearest('list-issues', tools)).toEqual(['list_issues']);
  expect(nearest('sum', tools)).toContain('get-sum');
  expect(nearest('deploy', tools)).toEqual([]);
});
