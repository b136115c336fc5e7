import { expect, test } from 'vitest';
import { shared } from './run-resources.ts';

test('fails on purpose, after it has used what a run shares', async () => {
  expect(await shared('database')).toContain('postgres://');
  expect.unreachable();
});
