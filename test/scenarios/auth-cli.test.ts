import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { waitFor } from '../servers/start.ts';
import { browse } from '../sign-in/browser.ts';
import {
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationFixture,
  type ProtectedFixture,
} from '../sign-in/start.ts';
import { newPlug, type Plug } from './plug-command.ts';
import { startTyping, type Typing } from './typed-plug.ts';

interface World {
  readonly plug: Plug;
  readonly authorization: AuthorizationFixture;
  readonly site: ProtectedFixture;
}

/** A `plug` that knows one server, which wants people to sign in. */
async function openWorld(): Promise<World> {
  const authorization = await startAuthorizationServer();
  onTestFinished(() => authorization[Symbol.asyncDispose]());
  const site = await startProtectedServer({ issuer: authorization.origin });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const plug = newPlug({ PLUG_NO_KEYRING: '1' });
  expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
  return { plug, authorization, site };
}

const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m;
const CALLBACK = '/callback';

/** Signs in as the person of the authorization server, in a browser on this machine. */
async function signIn(plug: Plug, ...more: readonly string[]): Promise<Typing> {
  const typing = startTyping(plug, ['auth', 'site', ...more]);
  await browse(await typing.says(ADDRESS));
  return typing;
}

verifies(
  ['O2', 'O4'],
  'without a browser the address is printed, and the pasted address of the last page signs in',
  async () => {
    const { plug, site } = await openWorld();
    const before = await plug('call', 'site/echo', 'message=hi');
    expect([before.code, before.stderr]).toEqual([4, expect.stringContaining('plug auth site')]);
    const list = await plug('list');
    expect(list.stdout).toMatch(/site +needs sign-in .*→ plug auth site/);
    expect((await plug('status')).stdout).toContain('plug auth site');

    const typing = startTyping(plug, ['auth', 'site', '--no-browser']);
    // The browser is elsewhere: it never reaches the callback of this machine.
    const last = await browse(await typing.says(ADDRESS), { stopAt: CALLBACK });
    typing.type('\nhttps://example.com/not-this-one\n');
    await typing.says(/That is not the address of the last page/);
    typing.type(`${last.href}\n`);
    const { code, stdout } = await typing.answer;
    expect(stdout).toContain('Signed in to site as @alice.');
    expect(code).toBe(0);

    expect((await plug('call', 'site/echo', 'message=hi')).stdout).toBe('hi\n');
    expect((await site.seen()).at(-1)).toMatchObject({ subject: 'alice' });
    expect(await plug.json('auth', 'list')).toMatchObject({
      accounts: [
        { server: 'site', account: 'default', displayName: '@alice', isDefault: true, signedIn: true },
      ],
    });
    expect((await plug('auth', 'list')).stdout).toMatch(/● site +default \(default\) +@alice +signed in/);
    expect((await plug('list')).stdout).toMatch(/site .*@alice/);
    expect((await plug('status', 'site')).stdout).toMatch(/account +@alice/);
  },
  90_000,
);

verifies(
  ['O2', 'O7'],
  'with a desktop the address goes to the browser as one argument, and its return signs in',
  async () => {
    const { plug } = await openWorld();
    const folder = temporaryFolder();
    const opened = join(folder, 'opened');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf '%s|' "$#" "$@" > '${opened}.part'\nmv '${opened}.part' '${opened}'\n`,
    );
    chmodSync(join(folder, 'xdg-open'), 0o755);
    const env = { DISPLAY: ':9', PATH: `${folder}:${process.env['PATH']}` };
    const typing = startTyping(plug, ['--json', 'auth', 'site'], env);
    await waitFor(() => readFileSync(opened), 20_000);
    const [count, address = ''] = readFileSync(opened, 'utf8').split('|');
    expect(count).toBe('1');
    await browse(address);
    const { code, stdout, stderr } = await typing.answer;
    expect(JSON.parse(stdout)).toMatchObject({ account: { server: 'site', signedIn: true } });
    expect(stderr).toContain('A browser has been opened');
    expect(code).toBe(0);
  },
  60_000,
);

verifies(
  ['O2'],
  'a refusal, a foreign answer and a broken authorization server each say what happened, and exit with 4',
  async () => {
    const { plug, authorization } = await openWorld();
    await authorization.post('/_person?name=');
    const denied = await (await signIn(plug)).answer;
    expect([denied.code, denied.stderr]).toEqual([
      4,
      expect.stringContaining('You did not let us into site.'),
    ]);
    expect(denied.stderr).toContain('plug auth site');

    const typing = startTyping(plug, ['--json', 'auth', 'site', '--no-browser']);
    await typing.says(ADDRESS);
    typing.type('http://127.0.0.1:9/callback?code=stolen-code&state=another-state\n');
    const foreign = await typing.answer;
    expect(foreign.code).toBe(4);
    expect(JSON.parse(foreign.stdout)).toMatchObject({
      error: { code: 'sign_in_needed', server: 'site', message: expect.stringContaining('was not for us') },
    });
    expect(foreign.stdout + foreign.stderr).not.toContain('stolen-code');

    await authorization[Symbol.asyncDispose]();
    const gone = await plug('auth', 'site');
    expect(gone.code).toBe(4);
    expect(gone.stderr).toMatch(/✖ .*site/);
    expect(await plug.json('auth', 'list')).toEqual({ accounts: [] });
  },
  90_000,
);

verifies(
  ['V8', 'V6', 'O4'],
  'several accounts, a chosen default, and a sign-out that revokes',
  async () => {
    const { plug, authorization, site } = await openWorld();
    expect((await (await signIn(plug)).answer).code).toBe(0);
    await authorization.post('/_person?name=bob');
    const second = await (await signIn(plug, '--account', 'work')).answer;
    expect(second.stdout).toContain(
      'Signed in to site as @bob. It is not the default: plug auth default site work',
    );

    expect(await plug.json('auth', 'default', 'site', 'work')).toMatchObject({ isDefault: true });
    await plug('call', 'site/echo', 'message=hi');
    expect((await site.seen()).at(-1)).toMatchObject({ subject: 'bob' });

    expect((await plug('auth', 'logout', 'site', '--account', 'work')).code).toBe(0);
    expect((await authorization.stats()).revocations).toBe(1);
    // The oldest account takes over.
    await plug('call', 'site/echo', 'message=hi');
    expect((await site.seen()).at(-1)).toMatchObject({ subject: 'alice' });
    const nobody = await plug('auth', 'logout', 'site', '--account', 'work');
    expect([nobody.code, nobody.stderr]).toEqual([6, expect.stringContaining('plug auth list')]);
  },
  90_000,
);

verifies(
  ['V6'],
  'removing a server revokes its tokens and forgets its accounts; a server that comes back starts signed out',
  async () => {
    const { plug, authorization, site } = await openWorld();
    expect((await (await signIn(plug)).answer).code).toBe(0);
    const removed = await plug('remove', 'site', '--yes');
    expect(removed.stdout).toContain('site is removed, with the sign-in as @alice.');
    expect((await authorization.stats()).revocations).toBe(1);
    expect(await plug.json('auth', 'list')).toEqual({ accounts: [] });
    await plug('add', 'site', site.url, '--yes', '--no-test');
    expect((await plug('call', 'site/echo', 'message=hi')).code).toBe(4);
  },
  90_000,
);
