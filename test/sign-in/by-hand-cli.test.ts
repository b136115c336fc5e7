import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';
import { startTyping, type Typing } from '../scenarios/typed-plug.ts';
import { browse } from './browser.ts';
import { freePort, takePort } from './free-port.ts';
import { startAuthorizationServer, startProtectedServer, type AuthorizationFixture } from './start.ts';

const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m;

/** A `plug` that knows one server, whose authorization server registers nobody by itself. */
async function openWorld(): Promise<{ readonly plug: Plug; readonly as: AuthorizationFixture }> {
  const as = await startAuthorizationServer({ registration: 'none' });
  onTestFinished(() => as[Symbol.asyncDispose]());
  const site = await startProtectedServer({ issuer: as.origin });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const plug = newPlug({ PLUG_NO_KEYRING: '1' });
  expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
  return { plug, as };
}

/** What somebody reads who asks to sign in: the address to register, and the command to type then. */
async function readGuidance(plug: Plug, port: number): Promise<{ redirect: string; words: string[] }> {
  const { code, stderr } = await plug('auth', 'site', '--callback-port', String(port));
  expect(code).toBe(4);
  const [, redirect = ''] = /exactly the redirect URL (\S+), then give its id/.exec(stderr) ?? [];
  const [, command = ''] = /^ {2}next +plug (.+)$/m.exec(stderr) ?? [];
  return { redirect, words: command.split(' ') };
}

async function finish(typing: Typing): Promise<Awaited<Typing['answer']>> {
  await browse(await typing.says(ADDRESS));
  return typing.answer;
}

verifies(
  ['O1', 'O4'],
  'who registers exactly the printed address and types exactly the printed command is signed in',
  async () => {
    const { plug, as } = await openWorld();
    const { redirect, words } = await readGuidance(plug, await freePort());
    await as.post(`/_client?id=by-hand&secret=shared-8c1f&redirect=${encodeURIComponent(redirect)}`);
    const command = words.map((word) => (word === 'ID' ? 'by-hand' : word));
    const typing = startTyping(plug, [...command, '--client-secret']);
    typing.type('shared-8c1f\n');
    const { code, stdout, stderr } = await finish(typing);
    expect(stdout).toContain('Signed in to site as @alice.');
    expect(stdout + stderr).not.toContain('shared-8c1f');
    expect(code).toBe(0);
    expect((await plug('call', 'site/echo', 'message=hi')).stdout).toBe('hi\n');

    // Later the name of the server is enough.
    expect((await finish(startTyping(plug, ['auth', 'site']))).code).toBe(0);
    expect(await as.grants('authorization_code')).toEqual({ good: 2, bad: 0 });
  },
  90_000,
);

verifies(
  ['O1', 'O2'],
  'a program registered by hand signs in from another machine by the pasted address, too',
  async () => {
    const { plug, as } = await openWorld();
    const { redirect, words } = await readGuidance(plug, await freePort());
    await as.post(`/_client?id=by-hand&redirect=${encodeURIComponent(redirect)}`);
    const typing = startTyping(plug, [
      ...words.map((word) => (word === 'ID' ? 'by-hand' : word)),
      '--no-browser',
    ]);
    const last = await browse(await typing.says(ADDRESS), { stopAt: '/callback' });
    expect(last.href).toMatch(new RegExp(`^${redirect}\\?`));
    typing.type(`${last.href}\n`);
    expect((await typing.answer).stdout).toContain('Signed in to site as @alice.');
  },
  90_000,
);

verifies(
  ['O1'],
  'a taken port is said with the whole address and the way out, and counts as not signed in',
  async () => {
    const { plug, as } = await openWorld();
    const { listener, port } = await takePort();
    onTestFinished(async () => {
      listener.close();
      await once(listener, 'close');
    });
    const answer = await plug('auth', 'site', '--client-id', 'by-hand', '--callback-port', String(port));
    expect(answer.code).toBe(4);
    expect(answer.stderr).toContain(`can’t return to http://127.0.0.1:${port}/callback`);
    expect(answer.stderr).toContain('--callback-port');
    expect(answer.stderr).toMatch(
      new RegExp(`next +plug auth site --client-id by-hand --callback-port ${port}`),
    );
    expect((await as.stats()).authorizations).toEqual([]);
    const wrong = await plug('auth', 'site', '--callback-port', '70000');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a port from 1 to 65535')]);
  },
  60_000,
);
