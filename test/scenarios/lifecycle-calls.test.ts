import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { local, QUICK, remote, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C5'],
  'after a new start the whole catalog is there before any server runs, and a call wakes its server',
  async () => {
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    let before: readonly string[] = [];
    await withHub({ folder, storage }, async ({ hub }) => {
      await hub.servers.add({ definition: local('one', 'modern') });
      await hub.servers.add({ definition: local('two', 'legacy') });
      before = (await hub.tools.list()).tools.map(({ ref }) => ref);
    });
    expect(before.length).toBeGreaterThan(40);
    await withHub({ folder, storage }, async ({ hub, spawns }) => {
      expect((await hub.tools.list()).tools.map(({ ref }) => ref)).toEqual(before);
      expect((await hub.resources.list()).resources).toHaveLength(6);
      expect(await hub.servers.get({ id: 'one' })).toMatchObject({
        state: { kind: 'asleep' },
        serverInfo: { name: 'fixture', version: '1.2.3' },
        instructions: 'Use echo to hear yourself.',
      });
      expect(spawns()).toBe(0);
      expect(await textOf(hub, 'two/echo', { message: 'awake' })).toBe('awake');
      expect(spawns()).toBe(1);
      expect((await stateOf(hub, 'one')).kind).toBe('asleep');
    });
  },
  SLOW,
);

verifies(
  ['C5'],
  'a server that hangs and one that is dead delay neither a call, nor a list, nor a start',
  async () => {
    await using silent = await startHttpFixture('hangs');
    await withHub({ limits: { ...QUICK, startsAtOnceMax: 3, startSlotMs: 300 } }, async ({ hub }) => {
      const hanging = [1, 2, 3, 4].map((each) => local(`hangs-${each}`, 'hangs-in-handshake'));
      await hub.servers.apply({
        definitions: [
          ...hanging,
          remote('silent', silent.url),
          local('dead', 'exits-at-once'),
          local('good', 'modern'),
        ],
      });
      const started = await hub.servers.ensureStarted();
      expect(started).toHaveLength(7);
      expect(await textOf(hub, 'good/echo', { message: 'quick' })).toBe('quick');
      expect((await hub.tools.list()).tools.every(({ server }) => server === 'good')).toBe(true);
      // All that time the others were, and are, still starting.
      for (const { id } of hanging) expect((await stateOf(hub, id)).kind).toBe('starting');
      expect((await stateOf(hub, 'silent')).kind).toBe('starting');
    });
  },
  SLOW,
);

verifies(
  ['C6'],
  'a call ends at the limit of the call, the tool or the server, and the server is told',
  async () => {
    await withHub({}, async ({ hub, folder }) => {
      const file = `${folder}/told`;
      const timeouts = { callMs: 400, toolMs: { slow: 300 } };
      await hub.servers.add({ definition: local('one', 'legacy', {}, { timeouts }) });
      const limitOf = async (call: Promise<unknown>): Promise<unknown> => {
        const error = await call.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ code: 'call_timeout', owner: 'server' });
        return error instanceof PlugError ? error.details?.['timeoutMs'] : undefined;
      };
      const call = (tool: string, timeoutMs?: number): Promise<unknown> =>
        hub.tools.call({ tool, args: { file }, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      expect(await limitOf(call('one/hang'))).toBe(400);
      expect(await limitOf(hub.tools.call({ tool: 'one/slow', args: { ms: 20_000 } }))).toBe(300);
      expect(await limitOf(call('one/hang', 100))).toBe(100);
      await waitFor(() => readFileSync(file, 'utf8').match(/cancelled/g)?.length === 2);
      expect((await stateOf(hub, 'one')).kind).toBe('ready');
    });
  },
  SLOW,
);

verifies(
  ['C6'],
  'progress extends a call beyond its limit, but not beyond the last one',
  async () => {
    // The limits and the work alike: a step must come in time on a slow machine, too.
    const limitMs = patience(333);
    const limits = { callTimeoutMs: limitMs, callTotalTimeoutMs: limitMs * 4 };
    await withHub({ limits }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [local('legacy', 'legacy'), local('modern', 'modern')] });
      for (const server of ['legacy', 'modern']) {
        const steps: number[] = [];
        const onProgress = ({ progress }: { progress: number }): unknown => steps.push(progress);
        const { result } = await hub.tools.call(
          { tool: `${server}/slow`, args: { ms: limitMs * 2, steps: 8 } },
          { onProgress },
        );
        expect(result['content']).toEqual([{ type: 'text', text: 'done after 8 steps' }]);
        expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      }
      const endless = hub.tools.call(
        { tool: 'legacy/slow', args: { ms: limitMs * 60, steps: 300 } },
        { onProgress: () => undefined },
      );
      await expect(endless).rejects.toMatchObject({ code: 'call_timeout' });
    });
  },
  SLOW,
);

verifies(
  ['C6'],
  'cancelling reaches the server in each era and on each transport',
  async () => {
    await using modern = await startHttpFixture('modern');
    await using legacy = await startHttpFixture('legacy-stateful-sse');
    await withHub({}, async ({ hub, folder }) => {
      const servers = [
        local('pipe-modern', 'modern'),
        local('pipe-legacy', 'legacy'),
        remote('http-modern', modern.url),
        remote('http-legacy', legacy.url),
      ];
      await hub.servers.apply({ definitions: servers });
      for (const { id } of servers) {
        await hub.servers.start({ id });
        const file = `${folder}/${id}`;
        const abort = new AbortController();
        const call = hub.tools.call({ tool: `${id}/hang`, args: { file } }, { signal: abort.signal });
        // Only a call that the server has begun can reach it.
        await hub.tools.call({ tool: `${id}/echo`, args: { message: 'then' } });
        abort.abort();
        await expect(call).rejects.toMatchObject({ code: 'cancelled', owner: 'you' });
        await waitFor(() => readFileSync(file, 'utf8').startsWith('cancelled'));
        expect(await textOf(hub, `${id}/echo`, { message: id })).toBe(id);
      }
    });
  },
  SLOW,
);

verifies(
  ['C6'],
  'an answer that comes too late is dropped, and later calls get their own answers',
  async () => {
    await withHub({}, async ({ hub, folder }) => {
      await hub.servers.add({ definition: local('one', 'legacy') });
      const args = { ms: 250, file: `${folder}/late` };
      const late = hub.tools.call({ tool: 'one/late', args, timeoutMs: 50 });
      await expect(late).rejects.toMatchObject({ code: 'call_timeout' });
      const after = Array.from({ length: 20 }, (_, index) => `answer ${index}`);
      const echo = (message: string): Promise<string> => textOf(hub, 'one/echo', { message });
      expect(await Promise.all(after.map(echo))).toEqual(after);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await Promise.all(after.map(echo))).toEqual(after);
      expect((await stateOf(hub, 'one')).kind).toBe('ready');
    });
  },
  SLOW,
);

verifies(
  ['C6', 'C8'],
  'whatever happens at once — crash, time limit, cancel, restart, stop — every call ends, once',
  async () => {
    await withHub({ limits: { ...QUICK, stableMs: 0, stopEofMs: 300 } }, async ({ hub }) => {
      await hub.servers.add({ definition: local('one', 'legacy') });
      const ends: string[] = [];
      const calls: Promise<void>[] = [];
      const call = (tool: string, options: { timeoutMs?: number; abortMs?: number } = {}): void => {
        const { timeoutMs = 5_000, abortMs } = options;
        const signal = abortMs === undefined ? new AbortController().signal : AbortSignal.timeout(abortMs);
        const args = tool === 'echo' ? { message: 'x' } : {};
        const ended = hub.tools.call({ tool: `one/${tool}`, args, timeoutMs }, { signal }).then(
          () => void ends.push('answered'),
          (error: unknown) => void ends.push(error instanceof PlugError ? error.code : 'not ours'),
        );
        calls.push(ended);
      };
      const ended = async (work: Promise<unknown>): Promise<void> => void (await Promise.allSettled([work]));
      for (let round = 0; round < 12; round += 1) {
        for (let each = 0; each < 3; each += 1) call('echo');
        call('hang', { timeoutMs: 5 + round * 7 });
        call('hang', { abortMs: round * 5 });
        call('slow', { abortMs: 100, timeoutMs: 100 });
        if (round % 4 === 1) call('crash');
        if (round % 4 === 2) calls.push(ended(hub.servers.restart({ id: 'one' })));
        if (round % 4 === 3) calls.push(ended(hub.servers.stop({ id: 'one' })));
        await new Promise((resolve) => setTimeout(resolve, round * 6));
      }
      await Promise.all(calls);
      expect(ends).toHaveLength(12 * 6 + 3);
      const known = new Set([
        'answered',
        'call_timeout',
        'cancelled',
        'crashed',
        'unavailable',
        'start_failed',
      ]);
      expect([...new Set(ends)].filter((end) => !known.has(end))).toEqual([]);
      await hub.servers.start({ id: 'one' });
      expect(await textOf(hub, 'one/echo', { message: 'whole' })).toBe('whole');
      await hub.servers.stop({ id: 'one' });
      await waitForState(hub, 'one', 'asleep');
    });
  },
  60_000,
);
