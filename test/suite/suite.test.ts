import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('a run with a failed test fails, whatever its tests have shared', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['run', '--config', 'test/suite/planted.config.ts'];
  const { status, stdout } = spawnSync(`${root}node_modules/.bin/vitest`, args, {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout).toContain('1 failed');
  expect(status).toBe(1);
});
