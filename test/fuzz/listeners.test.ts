import { readFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { onFault, type Fault } from '../../src/base/faults.ts';
import { listenForCallback } from '../../src/connections/sign-in/callback-listener.ts';
import { verifies } from '../requirements.ts';
import { isAlive, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { damaged, frames, requestsTo, RUNS, throughAll } from './inputs.ts';

const LONG_MS = 60_000 + RUNS * 30;
/** A hub at work needs some; what grows with every input would be far beyond it. */
const GROWTH_MB_MAX = 200;

interface World {
  readonly plug: Plug;
  readonly port: NetConnectOpts;
  readonly socket: NetConnectOpts;
  readonly host: string;
  readonly token: string;
  /** That the hub is the same process, has written of no fault and has not grown. */
  readonly checkSame: () => Promise<void>;
}

async function world(): Promise<World> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
  await plug.json('hub', 'start');
  const { pid, url, socket } = await plug.json('hub', 'status');
  const { host, port } = new URL(String(url));
  const before = residentMb(Number(pid));
  return {
    plug,
    host,
    port: { port: Number(port), host: '127.0.0.1' },
    socket: { path: String(socket) },
    token: readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim(),
    checkSame: async () => {
      expect(isAlive(Number(pid))).toBe(true);
      expect(await plug.json('hub', 'status')).toMatchObject({ pid });
      const log = readFileSync(`${plug.home}/plug/hub.log`, 'utf8').split('\n');
      expect(log.filter((line) => /unexpected failure|crashed/.test(line))).toEqual([]);
      expect(residentMb(Number(pid)) - before).toBeLessThan(GROWTH_MB_MAX);
    },
  };
}

/** Sends bytes on a connection of their own, and goes as soon as there is an answer, or after a moment. */
function send(to: NetConnectOpts, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(to);
    const leave = (): void => void socket.destroy();
    socket.once('data', leave).on('error', () => undefined);
    socket.setTimeout(60, leave);
    socket.once('close', () => resolve());
    socket.end(bytes);
  });
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

verifies(
  ['attack:fuzz', 'attack:3', 'H1', 'G1'],
  `${RUNS} random requests to the port, at the page’s door and at the gateway, leave the hub as it was`,
  async () => {
    const { port, host, token, checkSame } = await world();
    await throughAll(
      requestsTo(host, [`Authorization: Bearer ${token}`, `Origin: http://${host}`]),
      (bytes) => send(port, bytes),
    );
    await checkSame();
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'attack:3', 'H1'],
  `${RUNS} random requests to the hub’s socket leave the hub as it was`,
  async () => {
    const { socket, checkSame } = await world();
    await throughAll(requestsTo('localhost'), (bytes) => send(socket, bytes));
    await checkSame();
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'attack:16', 'G1'],
  `${RUNS} random messages on streams of hosts leave the hub as it was`,
  async () => {
    const { socket, checkSame } = await world();
    const head =
      'GET /mcp/stream?mode=all HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: plug-mcp\r\n\r\n';
    const text = frames.map((frame) => Buffer.from(JSON.stringify(frame) ?? ''));
    const line = fc
      .oneof({ weight: 3, arbitrary: text }, damaged(text))
      .map((bytes) => Buffer.concat([bytes, NEWLINE]));
    // Some messages only count behind others on the same stream.
    const stream = fc.array(line, { minLength: LINES, maxLength: LINES });
    const run = (lines: readonly Buffer[]): Promise<void> =>
      send(socket, Buffer.concat([Buffer.from(head), ...lines]));
    await throughAll(stream, run, Math.ceil(RUNS / LINES));
    await checkSame();
  },
  LONG_MS,
);

const NEWLINE = Buffer.from('\n');
const LINES = 20;

verifies(
  ['attack:fuzz', 'attack:3', 'O7'],
  `${RUNS} random requests to the listener of a sign-in end neither it nor the sign-in`,
  async () => {
    const faults: Fault[] = [];
    onTestFinished(onFault((fault) => void faults.push(fault)));
    const place = { port: 0, path: '/callback', known: true };
    await using listener = await listenForCallback({ place, state: 'the right one' });
    const { host, port } = new URL(listener.redirectUri);
    const before = process.memoryUsage().rss;
    await throughAll(requestsTo(host), (bytes) => send({ port: Number(port), host: '127.0.0.1' }, bytes));
    expect(faults).toEqual([]);
    expect(await Promise.race([listener.answer, sleep(1)])).toBeUndefined();
    const answered = await fetch(`${listener.redirectUri}?state=the+right+one&code=c`);
    expect([answered.status, (await listener.answer).get('code')]).toEqual([200, 'c']);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(GROWTH_MB_MAX);
  },
  LONG_MS,
);
