import { expect, test } from 'vitest';
import { riskOf } from './risk.ts';

test('the name of a tool tells its risk, in every way of writing words', () => {
  for (const name of ['list_issues', 'getUser', 'search-files', 'read'])
    expect(riskOf({ name })).toBe('read');
  for (const name of ['create_issue', 'sendMessage', 'update-page']) expect(riskOf({ name })).toBe('write');
  for (const name of ['delete_repo', 'dropTable', 'get_and_remove'])
    expect(riskOf({ name })).toBe('destructive');
  for (const name of ['echo', 'targeted', 'forget']) expect(riskOf({ name })).toBe('unknown');
});

test('a server may call its own tool more dangerous, but never harmless', () => {
  const hint = (name: string, annotations: Record<string, boolean>): string => riskOf({ name, annotations });
  expect(hint('delete_repo', { readOnlyHint: true })).toBe('destructive');
  expect(hint('echo', { readOnlyHint: true })).toBe('unknown');
  expect(hint('get_user', { readOnlyHint: false })).toBe('write');
  expect(hint('get_user', { destructiveHint: true })).toBe('destructive');
});
