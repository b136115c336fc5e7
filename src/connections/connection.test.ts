import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { Link } from '../../test/scenarios/lifecycle-link.ts';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import { systemIds } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { silentLogger } from '../base/logger.ts';
import { Connection } from './connection.ts';
import type { ConnectionOptions } from './condition.ts';
import type { Manifest } from './manifest.ts';
import type { OpenedSession, OpenSession } from './open-session.ts';
import { Peer } from './peer.ts';
import { InFlight } from './in-flight.ts';
import { inboundFor } from './inbound.ts';
import { Session } from './session.ts';

const crash = new PlugError('crashed', 'It crashed.', { owner: 'server' });
const refused = new PlugError('start_failed', 'It ended at once.', { owner: 'server' });
const manifest = { tools: [] } as unknown as Manifest; // nobody looks inside here

interface Bench {
  readonly clock: StandingClock;
  readonly connection: Connection;
  readonly links: Link[];
  readonly states: string[];
  starts: number;
}

/** A connection to servers that answer everything at once, until they are told not to. */
function bench(more: Partial<ConnectionOptions> & { answers?: () => boolean } = {}): Bench {
  const clock = standingClock();
  const links: Link[] = [];
  const states: string[] = [];
  const open: OpenSession = ({ events, signal, onAttempt }) => {
    signal.throwIfAborted();
    onAttempt();
    built.starts += 1;
    const link = new Link((frame, self) => {
      if (more.answers?.() ?? true) self.answer(frame, {});
    });
    links.push(link);
    const common = {
      server: 'one',
      handlers: {},
      inFlight: new InFlight(),
      host: undefined,
      local: true,
      events,
    };
    const endError = (): PlugError => crash;
    const onEnd = (): void => events.onEnd(crash);
    const peer = new Peer({ transport: link, clock, endError, onEnd, ...common, ...inboundFor(common) });
    const agreement = {
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: {},
      capabilities: {},
    } as const;
    const session = new Session({
      ...common,
      peer,
      agreement,
      transport: 'stdio',
      clientInfo: {},
      clock,
      limits,
    });
    return Promise.resolve({ session, endError, close: () => session.close() } satisfies OpenedSession);
  };
  const connection = new Connection({
    server: 'one',
    causes: () => ({ server: 'one', remote: false }),
    clock,
    ids: systemIds,
    limits,
    logger: silentLogger,
    startTimeoutMs: () => 30_000,
    open,
    readManifest: () => Promise.resolve(manifest),
    events: {
      onState: ({ kind }) => states.push(kind),
      onManifest: () => Promise.resolve(),
      onResourceUpdate: () => undefined,
      onTaskStatus: () => undefined,
      onLog: () => undefined,
      onHostWanted: () => undefined,
      onIdle: () => undefined,
    },
    ...more,
  });
  const built: Bench = { clock, connection, links, states, starts: 0 };
  return built;
}

const ping = (session: Session): Promise<unknown> => session.request('ping', {}, { timeoutMs: 1_000 });

for (const [how, weight] of [
  ['ends at once, whichever way it is asked', 2],
  ['never gets through its start', 1],
] as const) {
  verifies(['C8'], `a server that ${how} costs at most ten processes in five minutes of calls`, async () => {
    let processes = 0;
    const { connection, clock } = bench({
      open: ({ failures, onAttempt }) => {
        for (let each = failures === 0 ? weight : 1; each > 0; each -= 1) {
          processes += 1;
          onAttempt();
        }
        return Promise.reject(refused);
      },
    });
    for (let seconds = 0; seconds < 300; seconds += 1) {
      await Promise.allSettled([connection.use(ping)]);
      await clock.advance(1_000);
    }
    expect(processes).toBeGreaterThan(5);
    expect(processes).toBeLessThanOrEqual(10);
    expect(connection.state).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) });
  });
}

verifies(
  ['C8', 'attack:D10'],
  'a server that crashes on every call costs at most ten processes in five minutes',
  async () => {
    const built = bench();
    for (let seconds = 0; seconds < 300; seconds += 1) {
      await Promise.allSettled([built.connection.use(ping)]);
      built.links.at(-1)?.drop();
      await built.clock.advance(1_000);
    }
    expect(built.starts).toBeGreaterThan(5);
    expect(built.starts).toBeLessThanOrEqual(10);
  },
);

test('a session that ends while its manifest is stored is not taken for live', async () => {
  const built: Bench = bench({
    events: {
      onState: () => undefined,
      onManifest: () => {
        if (built.starts === 1) built.links[0]?.drop();
        return Promise.resolve();
      },
      onResourceUpdate: () => undefined,
      onTaskStatus: () => undefined,
      onLog: () => undefined,
      onHostWanted: () => undefined,
      onIdle: () => undefined,
    },
  });
  await expect(built.connection.start('USER')).rejects.toMatchObject({ code: 'crashed' });
  expect(built.connection.live).toBeUndefined();
  expect(built.connection.state).toMatchObject({
    kind: 'starting',
    reason: expect.stringContaining('1 of 3'),
  });
  await built.clock.advance(1_000);
  expect([built.connection.state.kind, built.starts]).toEqual(['ready', 2]);
});

test('a change that is told during the start is looked at afterwards', async () => {
  let reads = 0;
  const built: Bench = bench({
    readManifest: () => {
      reads += 1;
      if (reads === 1) built.links[0]?.say({ method: 'notifications/tools/list_changed' });
      return Promise.resolve(manifest);
    },
  });
  await built.connection.start('USER');
  await built.clock.advance(0);
  expect(reads).toBe(2);
});

verifies(
  ['C11'],
  'a stop during a start wins; whoever leaves a start early does not end it for others',
  async () => {
    const { connection, clock, states } = bench({
      readManifest: (_opened, signal) =>
        new Promise((resolve, reject) => {
          clockAfter(() => resolve(manifest));
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    function clockAfter(run: () => void): void {
      clock.after(500, run);
    }
    const abort = new AbortController();
    const early = connection.use(ping, abort.signal);
    const other = connection.use(ping);
    abort.abort();
    await expect(early).rejects.toMatchObject({ code: 'cancelled' });
    await clock.advance(500);
    await other;
    expect(connection.state.kind).toBe('ready');
    await connection.stop('Stopped.', 'USER');

    const again = expect(connection.start('USER')).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(100);
    await connection.stop('Stopped.', 'USER');
    await again;
    await clock.advance(5_000);
    expect([connection.state.kind, connection.occupied]).toEqual(['asleep', false]);
    expect(states.at(-1)).toBe('asleep');
  },
);

verifies(
  ['attack:D7'],
  'a start that takes too long is over at its limit, and nothing of it is left',
  async () => {
    const built = bench({
      readManifest: (_opened, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const start = expect(built.connection.start('USER')).rejects.toMatchObject({ code: 'start_timeout' });
    await built.clock.advance(30_000);
    await start;
    expect(built.connection.state).toMatchObject({ kind: 'failed', cause: 'timeout' });
    expect(built.links[0]?.closed).toBeGreaterThan(0);
  },
);

verifies(
  ['C18'],
  'installing a package takes no time from the start of its server, which has its whole limit afterwards',
  async () => {
    const installed = Promise.withResolvers<void>();
    const { connection, clock } = bench({
      open: async ({ signal, untimed }) => {
        await untimed(() => installed.promise);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const start = expect(connection.start('USER')).rejects.toMatchObject({ code: 'start_timeout' });
    await clock.advance(300_000);
    expect(connection.state.kind).toBe('starting');
    installed.resolve();
    await clock.advance(29_000);
    expect(connection.state.kind).toBe('starting');
    await clock.advance(1_000);
    await start;
    expect(connection.state).toMatchObject({ kind: 'failed', cause: 'timeout' });
  },
);

test('a closed connection cannot be woken, by a call, a restart or a timer', async () => {
  const { connection, clock, links } = bench();
  await connection.use(ping);
  links[0]?.drop();
  expect(connection.state.kind).toBe('starting');
  await connection.close('Gone.', 'SYSTEM');
  await clock.advance(60_000);
  await expect(connection.use(ping)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(connection.restart('USER')).rejects.toMatchObject({ code: 'unavailable' });
  await connection.close('Gone.', 'SYSTEM');
  expect([links.length, connection.state.kind]).toEqual([1, 'asleep']);
});

verifies(
  ['C9'],
  'a silent server is degraded, then replaced once, however many checks find it silent',
  async () => {
    let answers = true;
    const built = bench({ answers: () => answers });
    const { connection, clock, states } = built;
    await connection.use(ping);
    answers = false;
    await clock.advance(60_000);
    const checks = [connection.checkHealth(), connection.checkHealth()];
    await clock.advance(10_000);
    await Promise.all(checks);
    expect([connection.state.kind, built.starts]).toEqual(['degraded', 1]);
    // Our own call may be what keeps it busy: it is not ended for that.
    const call = Promise.allSettled([
      connection.use((session) => session.request('work', {}, { timeoutMs: 15_000 })),
    ]);
    const busy = connection.checkHealth();
    await clock.advance(10_000);
    await busy;
    expect([connection.state.kind, built.starts]).toEqual(['degraded', 1]);
    await clock.advance(5_000);
    await call;
    answers = false;
    const last = connection.checkHealth();
    await clock.advance(10_000);
    await last;
    answers = true;
    await clock.advance(0);
    expect([connection.state.kind, built.starts]).toEqual(['ready', 2]);
    expect(states).toEqual(['starting', 'ready', 'degraded', 'starting', 'starting', 'ready']);
  },
);

test('thousands of calls leave no listener on their signal', async () => {
  const { connection } = bench();
  const { signal } = new AbortController();
  for (let call = 0; call < 2_000; call += 1) await connection.use(ping, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
