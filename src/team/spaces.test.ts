import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { openStorage } from '../storage/open.ts';
import { TeamCallbacks } from './callbacks.ts';
import { teamLimits } from './limits.ts';
import { Spaces } from './spaces.ts';

/** Spaces whose time is told by the test; nothing but the sweep hangs on it. */
async function openSpaces() {
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'plug-spaces-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const storage = stack.use(await openStorage({ kind: 'memory' }));
  let now = 0;
  let sweep: (() => void) | undefined;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => now,
    every: (_ms, run) => {
      // The first is that of the spaces; hubs have others.
      sweep ??= run;
      return () => undefined;
    },
  };
  const spaces = new Spaces({
    storage,
    paths: { config: folder, data: folder, state: folder },
    version: '0.0.0-test',
    clock,
    ids: systemIds,
    logger: silentLogger,
    guard: () => undefined,
    callbacks: new TeamCallbacks('http://127.0.0.1:1'),
    identities: undefined,
    replica: { id: 'one', hold: () => Promise.resolve(), letGo: () => Promise.resolve() },
    quotas: { take: () => undefined },
    teamRules: { textsFor: () => Promise.resolve([]) },
    waitingApprovals: { of: () => ({ waits: () => undefined, ended: () => undefined }) },
    env: { PLUG_MASTER_KEY: `${'A'.repeat(43)}=` },
  });
  stack.defer(() => spaces.close());
  return {
    spaces,
    /** Later, everybody who may go has gone. */
    after: (ms: number): void => {
      now += ms;
      sweep?.();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const LEA = { id: 'lea', role: 'owner', team: { role: 'member', space: 'own' } } as const;

verifies(['M3'], 'somebody who has nothing under way keeps no hub in memory', async () => {
  await using world = await openSpaces();
  const { spaces, after } = world;
  const { view, letGo } = await spaces.use('person:lea', LEA);
  await view.hub.servers.list();
  after(teamLimits.spaceRestMs);
  expect(spaces.size).toBe(1);
  letGo();
  after(teamLimits.spaceRestMs - 1);
  expect(spaces.size).toBe(1);
  after(1);
  expect(spaces.size).toBe(0);
});

verifies(['M3'], 'a hub that would forget something stays until its person has long been away', async () => {
  await using world = await openSpaces();
  const { spaces, after } = world;
  const { view, letGo } = await spaces.use('person:lea', LEA);
  const host = await view.hub.hosts.attach({ name: 'a host', handlers: {} });
  letGo();
  after(teamLimits.spaceRestMs);
  expect(spaces.size).toBe(1);
  await host.close();
  let says = false;
  view.resting.push(() => says);
  after(0);
  expect(spaces.size).toBe(1);
  says = true;
  after(0);
  expect(spaces.size).toBe(0);
  const again = await spaces.use('person:lea', LEA);
  again.view.resting.push(() => false);
  again.letGo();
  after(teamLimits.spaceIdleMs - 1);
  expect(spaces.size).toBe(1);
  after(1);
  expect(spaces.size).toBe(0);
});
