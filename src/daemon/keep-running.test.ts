import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { guarded } from '../base/faults.ts';
import { limits } from '../base/limits.ts';
import { silentLogger } from '../base/logger.ts';
import { keepRunning } from './keep-running.ts';

interface Line {
  readonly message: string;
  readonly fields: object | undefined;
}

function world(): { lines: Line[]; kept: ReturnType<typeof keepRunning>; pass: (ms: number) => void } {
  const lines: Line[] = [];
  let passed = 0;
  const clock = { ...systemClock, monotonic: () => passed };
  const error = (message: string, fields?: object): void => void lines.push({ message, fields });
  return {
    lines,
    kept: keepRunning({ logger: { ...silentLogger, error }, clock }),
    pass: (ms) => void (passed += ms),
  };
}

test('what nothing has caught is written to the log without its message, and the hub goes on', () => {
  const { lines, kept } = world();
  using _kept = kept;
  kept.survive(new TypeError('the key is sk-secret'), () => expect.unreachable());
  guarded('a request', () => {
    throw new Error('sk-secret');
  })();
  expect(lines).toMatchObject([
    { message: 'unexpected failure', fields: { name: 'TypeError' } },
    { message: 'unexpected failure', fields: { name: 'Error', during: 'a request' } },
  ]);
  expect(JSON.stringify(lines)).toContain('keep-running.test.ts');
  expect(JSON.stringify(lines)).not.toContain('sk-secret');
});

test('a fault that comes again and again is written a few times a minute, and then counted', () => {
  const { lines, kept, pass } = world();
  using _kept = kept;
  for (let at = 0; at < 1_000; at += 1) kept.survive(new Error('again'), () => expect.unreachable());
  expect(lines).toHaveLength(limits.faultsLoggedMax);
  pass(60_001);
  kept.survive(new Error('again'), () => expect.unreachable());
  expect(lines.at(-2)).toMatchObject({ fields: { count: 1_000 - limits.faultsLoggedMax } });
});

test('where Node itself cannot go on, and after the hub has ended, the process ends', () => {
  const { kept } = world();
  const crashed: unknown[] = [];
  const broken = Object.assign(new Error('node'), { code: 'ERR_INTERNAL_ASSERTION' });
  kept.survive(broken, (error) => crashed.push(error));
  kept[Symbol.dispose]();
  const late = new Error('late');
  kept.survive(late, (error) => crashed.push(error));
  expect(crashed).toEqual([broken, late]);
});
