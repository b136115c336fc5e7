import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpLane, type Target } from './gateway-http-lane.ts';
import { type Lane, legacyCall, modernCall } from './gateway-load.ts';
import { StdioHost } from './gateway-stdio-lane.ts';

const END_MS_MAX = 3_000;

/** Something that stands between a host and the echo server. */
export interface Contender extends AsyncDisposable {
  readonly name: string;
  /** The processes whose CPU time and memory count: all but the echo server and the driver. */
  readonly pids: readonly number[];
  /** So many calls at once. */
  lanes(count: number): Promise<readonly Lane[]>;
}

export function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Every contender starts this one, or is given it to start. */
export const echoCommand: readonly string[] = [process.execPath, file('gateway-echo.ts')];

export async function startFloorHttp(): Promise<Contender> {
  const child = spawn(process.execPath, [file('gateway-floor-http.ts'), ...echoCommand], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number }; // it prints just this
  const target = { port, path: '/', headers: {}, body: modernCall };
  return httpContender('floor', target, [child], async () => void child.stdin.end());
}

export function startFloorStdio(): Contender {
  return stdioContender(
    'floor',
    new StdioHost([process.execPath, file('gateway-floor-stdio.ts'), ...echoCommand]),
    [],
  );
}

/**
 * The floor of a gateway whose servers are shared: a host starts a process of its own, and what it
 * shares with others is in another one. Nothing is decided or recorded here either.
 */
export async function startFloorShared(home: string): Promise<Contender> {
  const socket = join(home, 'floor.sock');
  const hub = spawn(process.execPath, [file('gateway-floor-hub.ts'), socket, ...echoCommand], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: hub.stdout }), 'line');
  const bridge = new StdioHost([process.execPath, file('gateway-floor-bridge.ts'), socket]);
  const contender = stdioContender('floor, shared', bridge, [hub.pid ?? 0]);
  return {
    ...contender,
    [Symbol.asyncDispose]: async () => {
      await contender[Symbol.asyncDispose]();
      hub.stdin.end();
      await end(hub);
    },
  };
}

export function httpContender(
  name: string,
  target: Target,
  children: readonly ChildProcess[],
  beforeEnd: () => Promise<void> = () => Promise.resolve(),
): Contender {
  // Opened anew for every sample: listeners close connections that were quiet for some seconds.
  let lanes: readonly HttpLane[] = [];
  return {
    name,
    pids: children.map(({ pid }) => pid ?? 0),
    lanes: async (count) => {
      for (const lane of lanes) lane.close();
      lanes = await Promise.all(Array.from({ length: count }, () => HttpLane.open(target)));
      return lanes;
    },
    [Symbol.asyncDispose]: async () => {
      for (const lane of lanes) lane.close();
      await beforeEnd();
      for (const child of children.toReversed()) await end(child);
    },
  };
}

export function stdioContender(name: string, host: StdioHost, others: readonly number[]): Contender {
  return {
    name,
    pids: [host.pid, ...others],
    lanes: (count) => Promise.resolve(Array.from({ length: count }, () => host.lane())),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Opens a session as hosts did before 2026, once the listener answers. */
export async function legacyTarget(port: number, path: string, headers = {}): Promise<Target> {
  const target: Target = { port, path, headers, body: legacyCall };
  const lane = await HttpLane.open(target);
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  };
  const answer = await lane.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  lane.close();
  const session = /^mcp-session-id: (\S+)/im.exec(answer.headers)?.[1];
  if (answer.status !== 200) throw new Error(`It answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  const own = {
    ...headers,
    'mcp-protocol-version': '2025-06-18',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
  const next = await HttpLane.open({ ...target, headers: own });
  await next.post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  next.close();
  return { ...target, headers: own };
}

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has a port
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks politely, then not, and only this one process. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = new AbortController();
  const late = sleep(END_MS_MAX, 'late', { signal: timer.signal }).catch(() => 'in time');
  if ((await Promise.race([exited, late])) === 'late') child.kill('SIGKILL');
  timer.abort();
  await exited;
}
