import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { knock } from '../contracts/knock.ts';
import { newContext } from '../browser/chromium.ts';
import { verifies } from '../requirements.ts';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';
import { startTyping } from '../scenarios/typed-plug.ts';
import { browse } from '../sign-in/browser.ts';
import { freePort } from '../sign-in/free-port.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import {
  READ_FILES,
  REQUEST,
  runAsAnotherUser,
  startAsAnotherUser,
  verifiesAgainstAnotherUser,
  WATCH_COMMANDS,
} from './another-user.ts';
import { markedWorld } from './approval-link.ts';

const TOKEN = /#open=([\w-]{43})/;

interface Heard {
  readonly uid: number;
  readonly status: number;
  readonly cookie: readonly string[] | null;
  readonly text: string;
}

/** Ways in which one user of a machine can reach another one's loopback port. */
const SOURCES = [
  { from: '127.0.0.1' },
  { from: '127.0.0.9' },
  { from: '127.255.255.254' },
  { to: '::ffff:127.0.0.1', from: '::ffff:127.0.0.1', family: 6 },
  { to: '::ffff:127.0.0.1', from: '::ffff:127.0.0.9', family: 6 },
] as const;

/** A desktop whose browser writes down its arguments and stays for a moment. */
function desktop(): { readonly env: Readonly<Record<string, string>>; readonly opened: () => string } {
  const folder = temporaryFolder();
  const seen = join(folder, 'seen');
  const program = join(folder, 'xdg-open');
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s' "$*" > '${seen}.half'\nmv '${seen}.half' '${seen}'\nsleep 1.5\n`,
  );
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':99' },
    opened: () => readFileSync(seen, 'utf8'),
  };
}

async function linkOf(plug: Plug): Promise<{ readonly origin: string; readonly token: string }> {
  const { url } = await plug.json('open', '--print');
  const { origin } = new URL(String(url));
  return { origin, token: TOKEN.exec(String(url))?.[1] ?? '' };
}

function post(origin: string, token: string): Readonly<Record<string, unknown>> {
  const body = JSON.stringify({ token });
  const { host, port } = new URL(origin);
  const headers = { host, origin, 'content-type': 'application/json', 'content-length': body.length };
  return { port: Number(port), method: 'POST', path: '/open', headers, body };
}

verifiesAgainstAnotherUser(
  ['attack:1', 'H1'],
  'nothing that opens the page is in any command line while plug open starts a browser, and the file that leads there is the owner’s alone',
  async () => {
    const { env, opened } = desktop();
    const plug = newPlug(env, { hub: 'process' });
    await plug.json('hub', 'start');
    const spy = startAsAnotherUser(WATCH_COMMANDS);
    let seen = '';
    spy.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await once(spy.stderr ?? spy, 'data');
    const { code, stdout } = await plug('open');
    expect([code, stdout]).toEqual([0, expect.stringContaining('in your browser')]);
    spy.stdin?.end();
    await once(spy, 'close');
    const commands = JSON.parse(seen) as readonly string[]; // its script prints texts
    // The spy did see the browser start; what it saw opens nothing.
    expect(commands.some((command) => command.includes('xdg-open'))).toBe(true);
    expect(commands.filter((command) => TOKEN.test(command))).toEqual([]);
    const address = opened();
    expect(address).toMatch(/^file:\/\//);
    const file = fileURLToPath(address);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(await runAsAnotherUser(READ_FILES, file)).toEqual(['EACCES']);
    // It leads its owner in, and goes as soon as it has.
    const [, origin = '', token = ''] =
      /url=(http:\/\/127\.0\.0\.1:\d+)\/#open=([\w-]{43})/.exec(readFileSync(file, 'utf8')) ?? [];
    const { path, ...given } = post(origin, token) as { path: string };
    expect((await knock({ url: origin }, { path, ...given })).status).toBe(200);
    await waitFor(() => !existsSync(file));
  },
  60_000,
);

verifiesAgainstAnotherUser(
  ['attack:1', 'H1'],
  'another user who has the link gets no session with it, from whatever address of this machine, and does not use it up',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const { origin, token } = await linkOf(plug);
    for (const source of SOURCES) {
      const heard = await runAsAnotherUser<Heard>(
        REQUEST,
        JSON.stringify({ ...post(origin, token), ...source }),
      );
      expect({ source, ...heard }).toMatchObject({ source, uid: 65_534, status: 403, cookie: null });
      expect(heard.text).not.toContain('"key"');
    }
    const { path, ...given } = post(origin, token) as { path: string };
    expect((await knock({ url: origin }, { path, ...given })).status).toBe(200);
  },
  60_000,
);

verifiesAgainstAnotherUser(
  ['attack:1', 'G4'],
  'another user who has the link to an approval neither sees nor answers it, and the owner still can',
  async () => {
    const { call, ran } = await markedWorld();
    const waiting = await call('add_note');
    const { origin, host, port, pathname, search, searchParams } = new URL(waiting.link);
    const body = new URLSearchParams({ key: searchParams.get('key') ?? '', decision: 'once' }).toString();
    const type = 'application/x-www-form-urlencoded';
    const headers = { host, origin, 'content-type': type, 'content-length': body.length };
    const to = { port: Number(port), headers: { host } };
    for (const source of SOURCES) {
      const looked = { ...to, ...source, path: `${pathname}${search}` };
      const answered = { ...to, ...source, method: 'POST', path: pathname, headers, body };
      for (const sent of [looked, answered]) {
        const { status, text } = await runAsAnotherUser<Heard>(REQUEST, JSON.stringify(sent));
        expect([source, status, text.includes('add_note')]).toEqual([source, 403, false]);
      }
    }
    expect(ran()).toEqual([]);
    expect((await knock({ url: origin }, { method: 'POST', path: pathname, headers, body })).status).toBe(
      200,
    );
    await waiting.ended;
    expect(ran()).toEqual(['add_note']);
  },
  90_000,
);

verifies(
  ['attack:1', 'U1'],
  'the file that plug open gives to a browser really leads to the page, and its link leaves the address',
  async () => {
    const { env, opened } = desktop();
    const plug = newPlug(env, { hub: 'process' });
    expect((await plug('open')).code).toBe(0);
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(opened());
    await page.getByRole('navigation', { name: 'Plugboard' }).waitFor();
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[^#]*$/);
    await waitFor(() => !existsSync(fileURLToPath(opened())));
  },
  60_000,
);

verifiesAgainstAnotherUser(
  ['attack:1', 'O7'],
  'another user who has read the address of a sign-in cannot end it with an answer of their own',
  async () => {
    const as = await startAuthorizationServer({ registration: 'none' });
    onTestFinished(() => as[Symbol.asyncDispose]());
    const site = await startProtectedServer({ issuer: as.origin });
    onTestFinished(() => site[Symbol.asyncDispose]());
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
    const port = await freePort();
    await as.post(`/_client?id=by-hand&redirect=${encodeURIComponent(`http://127.0.0.1:${port}/callback`)}`);
    const typing = startTyping(plug, [
      'auth',
      'site',
      '--client-id',
      'by-hand',
      '--callback-port',
      String(port),
    ]);
    const address = await typing.says(/^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m);
    const state = new URL(address).searchParams.get('state') ?? '';
    expect(state).not.toBe('');
    const path = `/callback?${new URLSearchParams({ state, code: 'mine', iss: as.origin }).toString()}`;
    for (const source of SOURCES) {
      const sent = { port, path, ...source, headers: { host: `127.0.0.1:${port}` } };
      const { status } = await runAsAnotherUser<Heard>(REQUEST, JSON.stringify(sent));
      expect([source, status]).toEqual([source, 403]);
    }
    await browse(address);
    expect((await typing.answer).stdout).toContain('Signed in to site as @alice.');
  },
  90_000,
);
