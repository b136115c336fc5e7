import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LineClient, modernParams, textOf } from './line-client.ts';
import { type FixtureParams, isAlive, stdioFixture, waitFor } from './start.ts';
import { temporaryFolder } from './temporary-folder.ts';

const start = (behavior: string, params?: FixtureParams): LineClient =>
  new LineClient(stdioFixture(behavior, params));

/** The pids that a fixture wrote to its file; each is killed when the test ends. */
async function pidsIn(file: string, count: number): Promise<number[]> {
  const read = (): number[] => readFileSync(file, 'utf8').trim().split('\n').map(Number);
  await waitFor(() => read().length === count);
  const pids = read();
  onTestFinished(() => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return pids;
}

test('exits-at-once says why on stderr and exits with 3', async () => {
  await using client = start('exits-at-once');
  expect((await client.exited)[0]).toBe(3);
  await waitFor(() => client.stderr.includes('DATABASE_URL is not set'));
});

test('hangs-in-handshake never answers and ends with its stdin', async () => {
  await using client = start('hangs-in-handshake');
  client.send('initialize');
  await sleep(500);
  expect(client.messages).toEqual([]);
  client.child.stdin.end();
  expect((await client.exited)[0]).toBe(0);
});

test('late-start answers, but not before its time', async () => {
  await using client = start('late-start', { ms: 600 });
  const from = performance.now();
  expect((await client.initialize()).result).toBeDefined();
  expect(performance.now() - from).toBeGreaterThan(590);
});

test('crashes-n crashes on the first n starts and then works', async () => {
  const file = join(temporaryFolder(), 'starts');
  for (const count of [1, 2]) {
    await using client = start('crashes-n', { n: 2, file });
    await client.initialize();
    expect((await client.exited)[0]).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(String(count));
  }
  await using client = start('crashes-n', { n: 2, file });
  await client.initialize();
  expect(textOf(await client.call('echo', { message: 'alive' }))).toBe('alive');
});

test('exits-on-unknown exits with 1 on server/discover and works after initialize', async () => {
  await using client = start('exits-on-unknown');
  client.send('server/discover', modernParams());
  expect((await client.exited)[0]).toBe(1);
  await using other = start('exits-on-unknown');
  await other.initialize();
  expect(textOf(await other.call('echo', { message: 'alive' }))).toBe('alive');
});

test('silent-on-unknown never answers server/discover and works after initialize', async () => {
  await using client = start('silent-on-unknown');
  const id = client.send('server/discover', modernParams());
  await client.initialize();
  expect(textOf(await client.call('echo', { message: 'alive' }))).toBe('alive');
  expect(client.messages.some((each) => each.id === id)).toBe(false);
});

test('noise answers between lines that do not belong on stdout', async () => {
  await using client = start('noise');
  await client.initialize();
  expect(textOf(await client.call('slow', { ms: 100 }))).toBe('done after 4 steps');
  expect(client.noise).toEqual(expect.arrayContaining(['Server running on stdio…', '', '{broken json']));
  expect(client.noise.some((line) => line.includes('\0'))).toBe(true);
});

test('floods-stderr writes megabytes and still answers', async () => {
  await using client = start('floods-stderr');
  await client.initialize();
  await waitFor(() => client.stderrBytes > 4 * 1024 * 1024, 4_000);
  expect(textOf(await client.call('echo', { message: 'alive' }))).toBe('alive');
});

test('storms says count times that its tools changed, then no more', async () => {
  await using client = start('storms', { count: 250 });
  await client.initialize();
  const storm = (): number =>
    client.messages.filter((each) => each.method === 'notifications/tools/list_changed').length;
  await waitFor(() => storm() === 250);
  expect(textOf(await client.call('slow', { ms: 100 }))).toBe('done after 4 steps');
  expect(storm()).toBe(250);
});

test('pages-forever always names a next page, the same one when told', async () => {
  await using client = start('pages-forever');
  await client.initialize();
  const seventh = await client.request('tools/list', { cursor: '7' });
  expect(seventh.result).toMatchObject({ tools: [{ name: 'tool-7' }], nextCursor: '8' });
  await using other = start('pages-forever', { repeat: true });
  await other.initialize();
  expect((await other.request('tools/list', { cursor: '1' })).result).toMatchObject({ nextCursor: '1' });
});

test('bad-ids breaks each rule of ids and gives the right answer too', async () => {
  await using client = start('bad-ids');
  await client.initialize();
  for (const name of ['right', 'duplicate', 'unknown-id', 'other-type', 'null-id']) {
    expect(textOf(await client.call(name))).toBe('right');
  }
  expect(client.messages.filter((each) => each.id === 3)).toHaveLength(2);
  expect(client.messages.map((each) => each.id)).toEqual(
    expect.arrayContaining([999_999, 'nobody', '5', null]),
  );
  const both = await client.call('both');
  expect(both).toMatchObject({ result: expect.anything() as unknown, error: { code: -32603 } });
});

test('ignores-stop survives EOF and SIGTERM, and only SIGKILL ends it', async () => {
  const file = join(temporaryFolder(), 'pid');
  await using client = start('ignores-stop', { file });
  const [pid = 0] = await pidsIn(file, 1);
  expect(pid).toBe(client.child.pid);
  client.child.stdin.end();
  client.child.kill('SIGTERM');
  await sleep(300);
  expect(isAlive(pid)).toBe(true);
  client.child.kill('SIGKILL');
  expect((await client.exited)[1]).toBe('SIGKILL');
  expect(isAlive(pid)).toBe(false);
});

test.for([false, true])('grandchild outlives its parent and SIGTERM (own session: %s)', async (setsid) => {
  const file = join(temporaryFolder(), 'pids');
  await using client = start('grandchild', { file, setsid });
  await client.initialize();
  const [parent = 0, child = 0] = await pidsIn(file, 2);
  client.child.stdin.end();
  await client.exited;
  expect(isAlive(parent)).toBe(false);
  process.kill(child, 'SIGTERM');
  await sleep(150);
  expect(isAlive(child)).toBe(true);
  if (process.platform === 'linux') {
    const session = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
    expect(session === String(child)).toBe(setsid);
  }
});

test('grandchild-holds-stdout leaves its stdout open when it exits', async () => {
  const file = join(temporaryFolder(), 'pids');
  await using client = start('grandchild-holds-stdout', { file });
  let closed = false;
  client.child.stdout.on('close', () => (closed = true));
  await client.initialize();
  const [, child = 0] = await pidsIn(file, 2);
  expect((await client.exited)[0]).toBe(5);
  await sleep(150);
  expect(isAlive(child)).toBe(true);
  expect(closed).toBe(false);
  process.kill(child, 'SIGKILL');
  await waitFor(() => closed);
});

test('lock lets one instance run at a time and goes with it', async () => {
  const file = join(temporaryFolder(), 'lock');
  await using first = start('lock', { file });
  await first.initialize();
  await using second = start('lock', { file });
  expect((await second.exited)[0]).toBe(4);
  await waitFor(() => second.stderr.includes('lock held'));
  first.child.stdin.end();
  await first.exited;
  expect(existsSync(file)).toBe(false);
  await using third = start('lock', { file });
  expect((await third.initialize()).result).toBeDefined();
});
