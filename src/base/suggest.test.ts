import { expect, test } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

test('a mistyped name is answered with the one that was meant', () => {
  const known = ['github', 'gitlab', 'linear', 'filesystem'];
  expect(suggest('gihtub', known)[0]).toBe('github');
  expect(suggest('linaer', known)).toEqual(['linear']);
  expect(suggest('file', known)).toEqual(['filesystem']);
});

test('a name that is near nothing gets no suggestion', () => {
  expect(suggest('postgres', ['github', 'linear'])).toEqual([]);
  expect(suggest('', ['a'])).toEqual([]);
});

test('a bare tool name finds its tool, and so does a part of it or a slip of the finger', () => {
  const tools = ['echo', 'get-sum', 'list_issues', 'long-running'];
  expect(suggest('ehco', tools)).toEqual(['echo']);
  expect(suggest('list-issues', tools)).toEqual(['list_issues']);
  expect(suggest('sum', tools)).toContain('get-sum');
  expect(suggest('deploy', tools)).toEqual([]);
  expect(suggest('echo', ['everything/echo', 'everything/add'])).toEqual(['everything/echo']);
});

test('suggestions read like a question', () => {
  expect(didYouMean([])).toBe('');
  expect(didYouMean(['a'])).toBe('Did you mean a?');
  expect(didYouMean(['a', 'b', 'c'])).toBe('Did you mean a, b or c?');
});

test('a very long word is still answered quickly', () => {
  expect(suggest('x'.repeat(1_000_000), ['github'])).toEqual([]);
});
