import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { isAlive, waitFor } from '../../../test/servers/start.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { carriersOf, startTimeOf } from './process-table.ts';
import { reapLeftovers } from './reap.ts';
import type { ServerProcess } from './server-process.ts';
import { startProcess } from './supervise.ts';
import { usageOf } from './usage.ts';

async function start(script: string): Promise<ServerProcess> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const options = { cwd: '/', env, clock: systemClock, ids: systemIds, limits };
  const server = await startProcess({ command: '/bin/sh', args: ['-c', script], ...options });
  onTestFinished(() => server.stop());
  return server;
}

verifies(
  ['C16'],
  'the processes and the memory of each local server are counted, escapees included',
  async () => {
    const memory = `const full = Buffer.alloc(60 * 1024 * 1024, 1); setInterval(() => full, 1000)`;
    const big = await start(`'${process.execPath}' -e '${memory}' & setsid sleep 300 & cat`);
    const small = await start('exec cat');
    await waitFor(async () => ((await usageOf([big]))[0]?.rssBytes ?? 0) > 60 * 1024 * 1024);
    const [ofBig, ofSmall] = await usageOf([big, small]);
    expect(ofBig?.processes).toBe(4); // the shell, node, cat, and sleep in its own session
    expect(ofSmall?.processes).toBe(1);
    expect(ofSmall?.rssBytes).toBeGreaterThan(0);
    expect(ofSmall?.rssBytes).toBeLessThan(20 * 1024 * 1024);
    await small.stop();
    expect(await usageOf([small])).toEqual([{ processes: 0, rssBytes: 0 }]);
  },
);

test('a process has one start time for its whole life, and none after it', async () => {
  const server = await start('cat');
  expect(server.startTime).not.toBe('');
  expect(await startTimeOf(server.pid)).toBe(server.startTime);
  await server.stop();
  expect(await startTimeOf(server.pid)).toBeUndefined();
});

/** A tree without a watcher, as a hub leaves it when its watcher was killed as well. */
async function unwatched(marker: string): Promise<{ pid: number; startTime: string }> {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; setsid sleep 300 & echo; while :; do sleep 1; done'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], PLUG_TREE: marker },
  });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid, startTime: (await startTimeOf(pid)) ?? '' };
}

const options = { clock: systemClock, limits: { ...limits, stopTermMs: 200 } };

verifies(['C12'], 'what a dead hub left behind is ended at the next start', async () => {
  const marker = systemIds.next('tree');
  const left = await unwatched(marker);
  const record = { hub: 'dead', server: 's', marker, ...left };
  expect((await carriersOf(marker)).length).toBeGreaterThanOrEqual(2);
  expect(await reapLeftovers([record], options)).toEqual([{ record, outcome: 'ended' }]);
  // All have been killed; the kernel takes a moment.
  await waitFor(() => !isAlive(left.pid));
  await expect.poll(() => carriersOf(marker)).toEqual([]);
  expect(await reapLeftovers([record], options)).toEqual([{ record, outcome: 'gone' }]);
});

verifies(['attack:H8'], 'a process that merely has a recorded pid is never touched', async () => {
  const innocent = await unwatched(systemIds.next('tree'));
  const base = { hub: 'dead', server: 's', pid: innocent.pid };
  const records = [
    { ...base, startTime: '1', marker: systemIds.next('tree') }, // the pid was given to another process
    { ...base, startTime: innocent.startTime, marker: systemIds.next('tree') }, // even the start time agrees
    { ...base, startTime: '', marker: systemIds.next('tree') },
  ];
  const outcomes = await reapLeftovers(records, options);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stranger', 'stranger', 'stranger']);
  expect(isAlive(innocent.pid)).toBe(true);
});
