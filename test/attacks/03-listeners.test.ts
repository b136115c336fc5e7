import { existsSync, readFileSync } from 'node:fs';
import type { NetConnectOpts } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { isAlive, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { startTyping } from '../scenarios/typed-plug.ts';
import { browse } from '../sign-in/browser.ts';
import { freePort } from '../sign-in/free-port.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { garbageFor, throwAt } from './garbage.ts';

const LONG_MS = 180_000;
const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m;

/** The lines of the hub's log about something that nothing of ours dealt with. */
function faultsOf(plug: Plug): readonly string[] {
  const log = `${plug.home}/plug/hub.log`;
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => /unexpected failure|crashed/.test(line))
    : [];
}

async function survives(
  plug: Plug,
  pid: number,
  to: NetConnectOpts,
  host: string,
  extra: readonly string[] = [],
): Promise<void> {
  for (const garbage of garbageFor(host, extra)) {
    await throwAt(to, garbage);
    expect([garbage.name, isAlive(pid)]).toEqual([garbage.name, true]);
  }
  expect(faultsOf(plug)).toEqual([]);
}

verifies(
  ['attack:3', 'O7'],
  'no web page and no garbage ends a sign-in or the hub while it waits for the browser',
  async () => {
    const as = await startAuthorizationServer({ registration: 'none' });
    onTestFinished(() => as[Symbol.asyncDispose]());
    const site = await startProtectedServer({ issuer: as.origin });
    onTestFinished(() => site[Symbol.asyncDispose]());
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
    const { pid } = await plug.json('hub', 'status');
    const port = await freePort();
    await as.post(`/_client?id=by-hand&redirect=${encodeURIComponent(`http://127.0.0.1:${port}/callback`)}`);
    const words = ['auth', 'site', '--client-id', 'by-hand', '--callback-port', String(port)];
    const typing = startTyping(plug, words);
    const address = await typing.says(ADDRESS);
    // What any web page can do: fetch("http://127.0.0.1:PORT//", { mode: "no-cors" }).
    await fetch(`http://127.0.0.1:${port}//`).catch(() => undefined);
    expect(isAlive(Number(pid))).toBe(true);
    await survives(plug, Number(pid), { port, host: '127.0.0.1' }, `127.0.0.1:${port}`);
    await browse(address);
    expect((await typing.answer).stdout).toContain('Signed in to site as @alice.');
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
  },
  LONG_MS,
);

verifies(
  ['attack:3', 'G1'],
  'no garbage at the port or at the socket ends the hub, before or after the gateway was first used',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    await plug.json('hub', 'start');
    const { pid, url, socket } = await plug.json('hub', 'status');
    const { host, port } = new URL(String(url));
    const to = { port: Number(port), host: '127.0.0.1' };
    const token = readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim();
    // The first host that comes loads the gateway, and may be gone before that is done.
    await throwAt(
      { path: String(socket) },
      {
        name: 'first',
        pieces: [
          'GET /mcp/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: plug-mcp\r\n\r\n',
        ],
        end: 'reset',
      },
    );
    await survives(plug, Number(pid), to, host);
    await survives(plug, Number(pid), to, host, [`Authorization: Bearer ${token}`]);
    await survives(plug, Number(pid), { path: String(socket) }, 'localhost');
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
  },
  LONG_MS,
);
