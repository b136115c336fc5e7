import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { jsonLogger } from './logger.ts';
import { TaskGroup } from './tasks.ts';

test('closing waits for background work and tells it to end', async () => {
  const lines: string[] = [];
  const tasks = new TaskGroup(
    jsonLogger({ clock: systemClock, level: 'info', write: (line) => lines.push(line) }),
  );
  let ended = false;
  tasks.run('wait', async (signal) => {
    await systemClock.sleep(60_000, signal).catch(() => undefined);
    ended = true;
  });
  await tasks.close();
  expect(ended).toBe(true);
  expect(lines).toEqual([]);
});

test('a failure in the background is logged as one record, whatever its text contains', async () => {
  const lines: string[] = [];
  const tasks = new TaskGroup(
    jsonLogger({ clock: systemClock, level: 'info', write: (line) => lines.push(line) }),
  );
  tasks.run('break', () => Promise.reject(new Error('first\n{"level":"info","message":"forged"}')));
  await systemClock.sleep(1);
  await tasks.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toContain('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', task: 'break' });
});
