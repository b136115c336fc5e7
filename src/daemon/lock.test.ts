import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryPaths } from '../../test/contracts/running-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { isLocked, takeLock } from './lock.ts';

const lockModule = fileURLToPath(new URL('lock.ts', import.meta.url));

/** Another process that tries to take the lock, says whether it did, and then lives on. */
async function otherProcess(file: string): Promise<{ took: boolean; child: ChildProcess }> {
  const program = `
    const { takeLock } = await import(${JSON.stringify(lockModule)});
    const lock = takeLock(${JSON.stringify(file)});
    process.stdout.write(lock ? 'took' : 'busy');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { took: String(said) === 'took', child };
}

verifies(
  ['H1', 'attack:H8'],
  'of several processes that take the lock at once exactly one gets it',
  async () => {
    const file = join(temporaryPaths().state, 'hub.lock');
    const others = await Promise.all(Array.from({ length: 4 }, () => otherProcess(file)));
    expect(others.filter(({ took }) => took)).toHaveLength(1);
    expect(takeLock(file)).toBeUndefined();
    expect(isLocked(file)).toBe(true);
  },
  20_000,
);

verifies(
  ['H1'],
  'the lock of a killed process is free at once, and nothing must be cleaned up',
  async () => {
    const file = join(temporaryPaths().state, 'hub.lock');
    const { child, took } = await otherProcess(file);
    expect(took).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isLocked(file)).toBe(false);
    using lock = takeLock(file);
    expect(lock).toBeDefined();
  },
  20_000,
);

test('a lock is exclusive within one process too, and can be taken again once released', () => {
  const file = join(temporaryPaths().state, 'hub.lock');
  const lock = takeLock(file);
  expect(takeLock(file)).toBeUndefined();
  lock?.release();
  lock?.release();
  using again = takeLock(file);
  expect(again).toBeDefined();
  expect(statSync(file).size).toBe(0);
});
