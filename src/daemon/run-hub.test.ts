import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { recordedHub } from '../../test/contracts/recorded-hub.ts';
import { startHub, temporaryPaths } from '../../test/contracts/running-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { waitFor } from '../../test/servers/start.ts';
import { connectHub } from '../api/client.ts';
import { systemClock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { hubFiles } from './address.ts';
import { connectSocket } from './connect.ts';
import { isLocked } from './lock.ts';
import { makePrivateFolder } from '../base/private-files.ts';

verifies(
  ['H1'],
  'a second hub is refused and told which one runs; the hub itself is opened only once',
  async () => {
    const first = await startHub(recordedHub().open);
    let opened = 0;
    const open = (): Promise<never> => Promise.reject(new Error(`opened ${(opened += 1)}`));
    const second = startHub(recordedHub().open, { paths: first.paths, open });
    await expect(second).rejects.toMatchObject({
      code: 'already_exists',
      next: 'plug hub status',
      details: { pid: process.pid, url: first.address.url },
    });
    expect(opened).toBe(0);
  },
);

verifies(
  ['H1', 'attack:H8'],
  'an address left by a dead hub whose pid lives again does not stop a new hub',
  async () => {
    const paths = temporaryPaths();
    const files = hubFiles(paths);
    const left = { pid: process.pid, startedAt: 1, version: '0', url: 'http://127.0.0.1:1', tokenFile: 'x' };
    writeFileSync(files.address, JSON.stringify({ ...left, socket: files.socket }), { mode: 0o600 });
    await makePrivateFolder(files.socketFolder);
    writeFileSync(files.lock, '');
    await leaveSocketBehind(files.socket);
    const { address } = await startHub(recordedHub().open, { paths });
    const status = await connectHub(connectSocket(paths)).status();
    expect([status.pid, address.url === left.url]).toEqual([process.pid, false]);
  },
);

test('stopping closes the hub and leaves neither socket, address nor lock behind', async () => {
  const recorded = recordedHub();
  const { paths, close, stopped } = await startHub(recorded.open);
  await Promise.all([close(), close(), stopped]);
  const files = hubFiles(paths);
  expect([existsSync(files.socket), existsSync(files.address), isLocked(files.lock)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(recorded.reached).toEqual(['close']);
});

test('the signal stops the hub although somebody watches and a host is attached', async () => {
  const recorded = recordedHub();
  const stop = new AbortController();
  const { paths, stopped } = await startHub(recorded.open, { signal: stop.signal });
  const hub = connectHub(connectSocket(paths));
  const watching = hub.watch()[Symbol.asyncIterator]().next();
  await hub.hosts.attach({ name: 'terminal', handlers: {} });
  await waitFor(() => recorded.watchers() === 1);
  stop.abort();
  await stopped;
  expect([recorded.hosts.size, recorded.reached.at(-1)]).toEqual([0, 'close']);
  await hub.close();
  expect((await watching).done).toBe(true);
});

test('when the hub cannot be opened the place is free again', async () => {
  const paths = temporaryPaths();
  const open = (): Promise<never> =>
    Promise.reject(new PlugError('storage_failed', 'The database is broken.', { owner: 'plugboard' }));
  await expect(startHub(recordedHub().open, { paths, open })).rejects.toMatchObject({
    code: 'storage_failed',
  });
  const { address } = await startHub(recordedHub().open, { paths });
  expect(address.pid).toBe(process.pid);
});

verifies(['H3'], 'a hub that nobody needs stops by itself', async () => {
  const { stopped, paths } = await startHub(recordedHub().open, { idleExitMs: 100 });
  await stopped;
  expect(existsSync(hubFiles(paths).address)).toBe(false);
});

test('a hub whose home was deleted stops, even with live servers', async () => {
  const { stopped, paths } = await startHub(recordedHub({ live: 1 }).open, { idleExitMs: 50 });
  rmSync(paths.state, { recursive: true });
  await stopped;
  expect(existsSync(paths.state)).toBe(false);
});

verifies(['H3'], 'a hub with a live server, or with somebody listening, does not stop', async () => {
  const live = await startHub(recordedHub({ live: 1 }).open, { idleExitMs: 50 });
  const watched = await startHub(recordedHub().open, { idleExitMs: 300 });
  const watcher = connectHub(connectSocket(watched.paths));
  const events = watcher.watch()[Symbol.asyncIterator]();
  const next = events.next();
  await systemClock.sleep(900);
  expect((await connectHub(connectSocket(live.paths)).status()).pid).toBe(process.pid);
  expect(existsSync(hubFiles(watched.paths).address)).toBe(true);
  await watcher.close();
  expect((await next).done).toBe(true);
  await watched.stopped;
});

/** A socket file without a listener, as a killed hub leaves it. */
async function leaveSocketBehind(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // Closing would remove the file; losing its name first keeps a copy of it.
  linkSync(path, `${path}.kept`);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  renameSync(`${path}.kept`, path);
}
