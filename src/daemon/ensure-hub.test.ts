import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryPaths } from '../../test/contracts/running-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { isAlive, waitFor } from '../../test/servers/start.ts';
import { shutdownHub } from '../api/client.ts';
import { systemClock } from '../base/clock.ts';
import type { Paths } from '../base/paths.ts';
import { hubFiles } from './address.ts';
import { ensureHub, type EnsuredHub, type EnsureHubOptions } from './ensure-hub.ts';

const program = fileURLToPath(new URL('../../test/contracts/bare-daemon.ts', import.meta.url));

function optionsFor(paths: Paths, version = '1.0.0', ...more: readonly string[]): EnsureHubOptions {
  const args = [program, paths.state, version, ...more];
  return { paths, version, entry: { command: process.execPath, args, env: {} }, clock: systemClock };
}

/** Every process that was started for this home. */
function processesOf(paths: Paths): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${paths.state}\0`);
    } catch {
      return false; // it went while we looked
    }
  });
}

async function ensured(options: EnsureHubOptions): Promise<EnsuredHub> {
  const found = await ensureHub(options);
  // By pid, and only if it is still the one that was started here.
  onTestFinished(() => {
    if (isAlive(found.status.pid)) process.kill(found.status.pid, 'SIGKILL');
  });
  return found;
}

verifies(
  ['H3'],
  'a command that needs a hub starts one, and the next command finds it',
  async () => {
    const paths = temporaryPaths();
    const first = await ensured(optionsFor(paths));
    expect([first.started, first.status.pid === process.pid]).toEqual([true, false]);
    const second = await ensured(optionsFor(paths));
    expect([second.started, second.status.pid]).toEqual([false, first.status.pid]);
    const { log } = hubFiles(paths);
    expect(readFileSync(log, 'utf8')).toContain('hub started');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    await shutdownHub(second.send);
    await waitFor(() => !isAlive(first.status.pid));
  },
  20_000,
);

verifies(
  ['H1', 'H3'],
  'commands that start a hub at the same moment all end with the same one',
  async () => {
    const paths = temporaryPaths();
    const all = await Promise.all(Array.from({ length: 4 }, () => ensured(optionsFor(paths))));
    expect(new Set(all.map(({ status }) => status.pid)).size).toBe(1);
    // Those that lost go by themselves.
    await waitFor(() => processesOf(paths).length === 1);
    expect(processesOf(paths)).toEqual([all[0]?.status.pid]);
    expect(readFileSync(hubFiles(paths).log, 'utf8').match(/hub started/g)).toHaveLength(1);
  },
  30_000,
);

verifies(
  ['H3'],
  'a hub that was killed is replaced by the next command',
  async () => {
    const paths = temporaryPaths();
    const first = await ensured(optionsFor(paths));
    process.kill(first.status.pid, 'SIGKILL');
    await waitFor(() => !isAlive(first.status.pid));
    const second = await ensured(optionsFor(paths));
    expect([second.started, second.status.pid === first.status.pid]).toEqual([true, false]);
  },
  20_000,
);

test('a command that comes while the hub is stopping waits for its end and gets a new one', async () => {
  const paths = temporaryPaths();
  const first = await ensured(optionsFor(paths, '1.0.0', 'slow-stop'));
  process.kill(first.status.pid, 'SIGTERM');
  await waitFor(() => readFileSync(hubFiles(paths).log, 'utf8').includes('hub stopping'));
  const second = await ensured(optionsFor(paths));
  expect([second.started, second.status.pid === first.status.pid]).toEqual([true, false]);
  expect(isAlive(first.status.pid)).toBe(false);
});

test('a hub that cannot start shows the last lines of its log', async () => {
  const paths = temporaryPaths();
  await expect(ensureHub(optionsFor(paths, '1.0.0', 'fail'))).rejects.toMatchObject({
    code: 'hub_unavailable',
    message: 'The hub did not start.',
    next: 'plug hub start --foreground',
    details: { log: ['the disk is full', 'The process ended with code 1.'] },
  });
});

test('a hub of another version is not used; both versions and the way out are named', async () => {
  const paths = temporaryPaths();
  await ensured(optionsFor(paths, '1.0.0'));
  const newer = { ...optionsFor(paths), version: '2.0.0' };
  await expect(ensureHub(newer)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/1\.0\.0.*2\.0\.0/),
    next: 'plug hub restart',
  });
  expect((await ensureHub({ ...newer, anyVersion: true })).status.version).toBe('1.0.0');
});
