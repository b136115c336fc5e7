import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from './clock.ts';
import { guarded, onFault, type Fault } from './faults.ts';

function heard(): Fault[] {
  const faults: Fault[] = [];
  onTestFinished(onFault((fault) => void faults.push(fault)));
  return faults;
}

test('what a guarded listener throws is reported without its message, and ends only what it belongs to', () => {
  const faults = heard();
  const ended: string[] = [];
  const listener = guarded(
    'a request',
    (_name: string) => {
      throw new TypeError('the key is sk-secret\n    at nowhere');
    },
    (name) => ended.push(name),
  );
  listener('first');
  listener('second');
  expect(ended).toEqual(['first', 'second']);
  expect(faults).toHaveLength(2);
  expect(faults[0]).toMatchObject({ during: 'a request', name: 'TypeError' });
  expect(faults[0]?.places[0]).toContain('faults.test.ts');
  expect(JSON.stringify(faults)).not.toContain('sk-secret');
  expect(JSON.stringify(faults)).not.toContain('nowhere');
});

test('a guarded listener that fails later, or whose end fails too, is reported as well', async () => {
  const faults = heard();
  guarded(
    'a request',
    () => Promise.reject(new Error('late')),
    () => {
      throw new Error('twice');
    },
  )();
  await systemClock.sleep(1);
  expect(faults).toHaveLength(2);
  guarded('a request', () => {
    // oxlint-disable-next-line no-throw-literal -- anything can be thrown
    throw 'a text';
  })();
  expect(faults[2]).toMatchObject({ name: 'string', places: [] });
});

test('a timer that throws is reported, and the next one runs', async () => {
  const faults = heard();
  let ran = 0;
  const stop = systemClock.every(1, () => {
    ran += 1;
    throw new Error('in a timer');
  });
  systemClock.after(1, () => {
    throw new Error('in a timer');
  });
  await systemClock.sleep(30);
  stop();
  expect(ran).toBeGreaterThan(1);
  expect(faults.length).toBe(ran + 1);
  expect(faults[0]).toMatchObject({ during: 'a timer' });
});
