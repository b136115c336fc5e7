import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { knock } from '../contracts/knock.ts';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { patience } from '../suite/patience.ts';

interface RunningHub {
  readonly pid: number;
  readonly url: string;
  readonly authorization: string;
}

/** The built hub in a process of its own. */
async function startedHub(): Promise<RunningHub> {
  const plug = newPlug({}, { hub: 'process' });
  await plug.json('hub', 'start');
  const { pid, url } = (await plug.json('hub', 'status')) as { pid: number; url: string };
  const token = readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim();
  return { pid, url, authorization: `Bearer ${token}` };
}

/** The addresses at which a process listens, as Linux writes them. */
function listensAt(pid: number): readonly string[] {
  const found = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''];
    } catch {
      return []; // it was closed meanwhile
    }
  });
  const own = new Set(found);
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => own.has(words[9] ?? '-') && (words[3] === '0A' || kind.startsWith('udp')))
      .map((words) => `${kind} ${words[1]?.split(':')[0]}`),
  );
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** The processor time that a process has used so far, in Linux's hundredths of a second. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) * 10;
}

verifies(
  ['H1', 'attack:A5'],
  'the built hub listens at one address of this machine, and at no other',
  async () => {
    const { pid } = await startedHub();
    expect(listensAt(pid)).toEqual(['tcp 0100007F']);
  },
  30_000,
);

verifies(
  ['H1', 'attack:A11'],
  'bodies that are too big, too deep, too wide or a batch cost the built hub little time and no memory',
  async () => {
    const { pid, url, authorization } = await startedHub();
    const headers = { 'content-type': 'application/json', authorization };
    const bodies: readonly (readonly [string, string | Buffer])[] = [
      ['one byte too many', Buffer.alloc(4 * 1024 * 1024 + 1, ' ')],
      ['deep', `{"tool":"a/b","args":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
      ['wide', `{"tool":"a/b","args":{"a":[${'0,'.repeat(999_999)}0]}}`],
      ['a batch', `[${Array.from({ length: 10_000 }, () => '{"tool":"a/b"}').join(',')}]`],
    ];
    // Who is refused by the announced length may find the connection closed while still sending.
    const ask = (body: string | Buffer): Promise<number> =>
      knock({ url }, { method: 'POST', path: '/v1/calls', headers, body }).then(
        ({ status }) => status,
        ({ code }: NodeJS.ErrnoException) => (code === 'EPIPE' || code === 'ECONNRESET' ? 413 : 0),
      );
    const ROUNDS = 5;
    // The first ones bring code into memory that stays there.
    for (const [, body] of bodies) await ask(body);
    const [before, memory] = [cpuMs(pid), residentMb(pid)];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, body] of bodies) {
        const status = await ask(body);
        expect([name, status >= 400 && status < 500]).toEqual([name, true]);
      }
    }
    expect((cpuMs(pid) - before) / (ROUNDS * bodies.length)).toBeLessThan(100);
    expect(residentMb(pid) - memory).toBeLessThanOrEqual(20);
    expect((await knock({ url }, { path: '/v1/status', headers: { authorization } })).status).toBe(200);
  },
  60_000,
);

verifies(
  ['H1', 'attack:A12'],
  'five hundred connections that send a byte now and then are closed in half a minute, and others are served',
  async () => {
    const { url, authorization } = await startedHub();
    const honest = async (): Promise<number> => {
      const begun = performance.now();
      expect((await knock({ url }, { path: '/v1/status', headers: { authorization } })).status).toBe(200);
      return performance.now() - begun;
    };
    const port = Number(new URL(url).port);
    const begun = performance.now();
    const slow = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const socket = connect(port, '127.0.0.1');
        onTestFinished(() => void socket.destroy());
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        socket.write('POST /v1/calls HTTP/1.1\r\nHost: x\r\nX-Slow: ');
        return socket;
      }),
    );
    const drip = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write('a');
    }, 1_000);
    onTestFinished(() => clearInterval(drip));
    const times: number[] = [];
    while (slow.some((socket) => !socket.destroyed) && performance.now() - begun < patience(13_000)) {
      times.push(await honest());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(performance.now() - begun).toBeLessThan(patience(10_000));
    expect(slow.filter((socket) => !socket.destroyed)).toEqual([]);
    // A bound against being starved; how fast the machine is at the moment is no matter of ours.
    expect(times.toSorted((a, b) => a - b).at(Math.floor(times.length * 0.95))).toBeLessThan(patience(1_600));
  },
  60_000,
);
