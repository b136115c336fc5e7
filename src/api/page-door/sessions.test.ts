import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { doorLimits } from './limits.ts';
import { PageSessions, type Halves } from './sessions.ts';

const PORT = 4_711;

interface Opened {
  readonly file: string;
  readonly sessions: PageSessions;
  readonly pass: (ms: number) => void;
  /** As after a restart of the hub. */
  readonly again: () => Promise<PageSessions>;
}

async function opened(): Promise<Opened> {
  let now = 1_700_000_000_000;
  const file = join(temporaryFolder(), 'page-sessions.json');
  const clock = { ...systemClock, now: () => now };
  const again = (): Promise<PageSessions> => PageSessions.open({ file, clock, ids: systemIds });
  return { file, sessions: await again(), pass: (ms) => void (now += ms), again };
}

test('both halves of one session open, at the port where it was opened, and nothing else does', async () => {
  const { sessions } = await opened();
  const [one, other] = [await sessions.begin(undefined, PORT), await sessions.begin(undefined, PORT)];
  expect([sessions.admits(one, PORT), sessions.admits(other, PORT)]).toEqual([true, true]);
  const wrong: readonly Halves[] = [
    { cookie: one.cookie, key: '' },
    { cookie: '', key: one.key },
    { cookie: one.cookie, key: other.key },
    { cookie: one.key, key: one.cookie },
  ];
  for (const halves of wrong) expect(sessions.admits(halves, PORT)).toBe(false);
  expect(sessions.admits(one, PORT + 1)).toBe(false);
});

test('a session is there after a restart of the hub, and the file holds neither half of it', async () => {
  const { sessions, file, again } = await opened();
  const halves = await sessions.begin(undefined, PORT);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(halves.cookie);
  expect(text).not.toContain(halves.key);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const next = await again();
  expect([next.admits(halves, PORT), next.lastPort()]).toEqual([true, PORT]);
});

test('a session ends after a month; a new link within it makes it last a month again', async () => {
  const { sessions, pass } = await opened();
  const [kept, left] = [await sessions.begin(undefined, PORT), await sessions.begin(undefined, PORT)];
  pass(doorLimits.sessionMs - 1);
  expect(await sessions.begin(kept, PORT)).toEqual(kept);
  pass(1);
  expect([sessions.admits(kept, PORT), sessions.admits(left, PORT)]).toEqual([true, false]);
  pass(doorLimits.sessionMs);
  expect([sessions.admits(kept, PORT), sessions.lastPort()]).toEqual([false, undefined]);
});

test('a wrong session is not prolonged: it gets a new one', async () => {
  const { sessions } = await opened();
  const wrong = { cookie: 'guessed', key: 'guessed' };
  expect(await sessions.begin(wrong, PORT)).not.toEqual(wrong);
  expect(sessions.admits(wrong, PORT)).toBe(false);
});

test('of too many sessions the oldest goes first', async () => {
  const { sessions, again } = await opened();
  const all: Halves[] = [];
  for (let at = 0; at <= doorLimits.sessionsMax; at += 1) all.push(await sessions.begin(undefined, PORT));
  const expected = all.map((_, at) => at > 0);
  expect(all.map((halves) => sessions.admits(halves, PORT))).toEqual(expected);
  const next = await again();
  expect(all.map((halves) => next.admits(halves, PORT))).toEqual(expected);
});

test('browsers that come in at the same moment are all kept', async () => {
  const { sessions, again } = await opened();
  const all = await Promise.all(Array.from({ length: 10 }, () => sessions.begin(undefined, PORT)));
  const next = await again();
  expect(all.every((halves) => next.admits(halves, PORT))).toBe(true);
});

test('sessions of a port that somebody else has now are forgotten for good', async () => {
  const { sessions, again } = await opened();
  const [lost, kept] = [await sessions.begin(undefined, PORT), await sessions.begin(undefined, PORT + 1)];
  await sessions.forgetPort(PORT);
  for (const each of [sessions, await again()]) {
    expect([each.admits(lost, PORT), each.admits(kept, PORT + 1)]).toEqual([false, true]);
  }
});

test('a file that is damaged opens nothing and hinders nobody', async () => {
  const { file, again } = await opened();
  const odd = { cookie: 'x', key: 'y', port: PORT, openedAt: 0 };
  for (const text of ['', '{', '[]', '{"sessions":7}', JSON.stringify({ sessions: [odd, null, 7] })]) {
    writeFileSync(file, text, { mode: 0o600 });
    const sessions = await again();
    expect(sessions.lastPort()).toBeUndefined();
    const halves = await sessions.begin(undefined, PORT);
    expect(sessions.admits(halves, PORT)).toBe(true);
  }
});
