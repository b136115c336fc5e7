import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { isAlive, startHttpFixture, waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { startGate } from './lifecycle-gate.ts';
import { historyOf, local, QUICK, remote, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C8'],
  'a server that crashes is restarted by itself, and the next call works',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub, spawns }) => {
      await hub.servers.add({ definition: local('one', 'legacy') });
      const before = Number(await textOf(hub, 'one/pid'));
      await expect(textOf(hub, 'one/crash')).rejects.toMatchObject({
        code: 'crashed',
        owner: 'server',
        message: expect.stringContaining('exit code 7'),
      });
      await waitForState(hub, 'one', 'ready');
      expect(spawns()).toBe(2);
      expect(isAlive(before)).toBe(false);
      expect(Number(await textOf(hub, 'one/pid'))).not.toBe(before);
      expect(await historyOf(hub, 'one')).toEqual(['CONNECTED USER', 'ERROR SYSTEM', 'RECONNECTED SYSTEM']);
    });
  },
  SLOW,
);

verifies(
  ['C8', 'C4'],
  'after three restarts that crash, too, the server has failed, with exit code and last words',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub, folder, spawns, seen }) => {
      const file = `${folder}/starts`;
      await hub.servers.apply({ definitions: [local('one', 'crashes-n', { n: 100, file })] });
      await hub.servers.waitUntilReady({ timeoutMs: patience(25_000) });
      const state = await stateOf(hub, 'one');
      expect(state).toMatchObject({ kind: 'failed', cause: 'crashed', exitCode: 1, next: 'plug logs one' });
      expect(state.kind === 'failed' && state.stderr).toEqual(['crash number 4']);
      expect(Number(readFileSync(file, 'utf8'))).toBe(4);
      expect(spawns()).toBe(4);
      const attempts = seen.flatMap((event) =>
        event.kind === 'server-state' && event.state.kind === 'starting' ? [event.state.reason] : [],
      );
      expect(attempts.filter((reason) => /Restarting in .* s \(\d of 3\)\.$/.test(reason))).toHaveLength(3);
    });
  },
  SLOW,
);

verifies(
  ['C8'],
  'a server that gets over its crashes is ready, and a stable one has its restarts back',
  async () => {
    await withHub({ limits: { ...QUICK, stableMs: 100 } }, async ({ hub, folder, spawns }) => {
      await hub.servers.apply({
        definitions: [local('one', 'crashes-n', { n: 2, file: `${folder}/starts` })],
      });
      await hub.servers.waitUntilReady({ timeoutMs: patience(25_000) });
      expect(await stateOf(hub, 'one')).toMatchObject({ kind: 'ready' });
      expect(spawns()).toBe(3);
      // Each time it has lived for longer than the stable time, so more than three crashes are borne.
      for (let crash = 0; crash < 4; crash += 1) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await expect(textOf(hub, 'one/crash')).rejects.toMatchObject({ code: 'crashed' });
        await waitForState(hub, 'one', 'ready');
      }
      expect(spawns()).toBe(7);
    });
  },
  SLOW,
);

verifies(
  ['C8'],
  'a breaker opens after five failures, refuses without a process, and lets one try through later',
  async () => {
    const breakerOpenMs = patience(150);
    await withHub({ limits: { ...QUICK, breakerOpenMs } }, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [local('one', 'exits-at-once')] });
      // The first failure costs two processes: with and without the question for the modern era.
      for (let call = 0; call < 4; call += 1) {
        await expect(textOf(hub, 'one/echo')).rejects.toMatchObject({ code: 'start_failed' });
      }
      expect(spawns()).toBe(5);
      const state = await stateOf(hub, 'one');
      expect(state).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) });
      await expect(textOf(hub, 'one/echo')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('failed too often'),
        next: 'plug restart one',
      });
      expect(spawns()).toBe(5);

      await new Promise((resolve) => setTimeout(resolve, breakerOpenMs + 50));
      await expect(textOf(hub, 'one/echo')).rejects.toMatchObject({ code: 'start_failed' });
      expect(spawns()).toBe(6);
      await expect(textOf(hub, 'one/echo')).rejects.toMatchObject({ code: 'unavailable' });
      // A person's wish goes through at once.
      await expect(hub.servers.restart({ id: 'one' })).rejects.toMatchObject({ code: 'start_failed' });
      expect(spawns()).toBe(8);
    });
  },
  SLOW,
);

verifies(
  ['C9'],
  'a local server that hangs becomes degraded and is then replaced by a fresh process',
  async () => {
    const limits = { ...QUICK, healthCheckMs: 300, healthTimeoutMs: 250, stopEofMs: 100, stopTermMs: 100 };
    await withHub({ limits }, async ({ hub, seen }) => {
      await hub.servers.apply({ definitions: [local('one', 'legacy')] });
      const before = Number(await textOf(hub, 'one/pid'));
      process.kill(before, 'SIGSTOP');
      await waitFor(() => !isAlive(before), 15_000);
      await waitForState(hub, 'one', 'ready');
      expect(Number(await textOf(hub, 'one/pid'))).not.toBe(before);
      const kinds = seen.flatMap((event) => (event.kind === 'server-state' ? [event.state.kind] : []));
      expect(kinds.slice(0, 2)).toEqual(['starting', 'ready']);
      expect(kinds).toContain('degraded');
      expect(await historyOf(hub, 'one')).toContain('RECONNECTED SYSTEM');
    });
  },
  SLOW,
);

verifies(
  ['C9'],
  'a server that only pauses is degraded and then ready again, without a restart',
  async () => {
    const limits = { ...QUICK, healthCheckMs: 400, healthTimeoutMs: 300 };
    await using good = await startHttpFixture('modern');
    await using gate = await startGate(good.url);
    await withHub({ limits }, async ({ hub }) => {
      await hub.servers.add({ definition: remote('one', gate.url) });
      gate.mode = 503;
      await waitForState(hub, 'one', 'degraded');
      gate.mode = 'open';
      await waitForState(hub, 'one', 'ready');
      expect(await textOf(hub, 'one/echo', { message: 'fine' })).toBe('fine');
    });
  },
  SLOW,
);

for (const behavior of ['modern', 'legacy-stateful-sse'] as const) {
  verifies(
    ['C9'],
    `a ${behavior} HTTP server that dies and returns heals without being called`,
    async () => {
      const limits = { ...QUICK, healthCheckMs: 200, healthTimeoutMs: 500, breakerOpenMs: 300 };
      const first = await startHttpFixture(behavior);
      await withHub({ limits }, async ({ hub }) => {
        await hub.servers.add({ definition: remote('one', first.url) });
        await first.close();
        await waitForState(hub, 'one', 'failed', 20_000);
        expect(await stateOf(hub, 'one')).toMatchObject({ cause: 'refused' });
        await using second = await startHttpFixture(behavior, { port: first.port });
        await waitForState(hub, 'one', 'ready', 20_000);
        expect(await textOf(hub, 'one/echo', { message: 'back' })).toBe('back');
        expect((await second.stats()).requests).toBeGreaterThan(0);
        expect((await historyOf(hub, 'one')).at(-1)).toBe('RECONNECTED SYSTEM');
      });
    },
    SLOW,
  );
}

verifies(
  ['C9'],
  'a session that the server forgot is rebuilt once, and every call under way succeeds',
  async () => {
    await using server = await startHttpFixture('forgets-session');
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: remote('one', server.url) });
      expect((await server.stats()).sessions).toBe(1);
      await server.post('/_forget');
      const messages = Array.from({ length: 8 }, (_, index) => `call ${index}`);
      const answers = await Promise.all(messages.map((message) => textOf(hub, 'one/echo', { message })));
      expect(answers).toEqual(messages);
      expect((await server.stats()).sessions).toBe(2);
      expect(await historyOf(hub, 'one')).toEqual([
        'CONNECTED USER',
        'DISCONNECTED SYSTEM',
        'RECONNECTED SYSTEM',
      ]);
    });
  },
  SLOW,
);
