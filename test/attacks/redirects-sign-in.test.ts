import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { startTyping } from '../scenarios/typed-plug.ts';
import { browse } from '../sign-in/browser.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from '../sign-in/signed-in-hub.ts';
import { startTwin, type Twin, type TwinRequest } from '../sign-in/twin.ts';
import {
  elsewhere,
  expectQuiet,
  expectUnvisited,
  openTrap,
  STATUSES,
  type Redirect,
  type Trap,
} from './redirects-world.ts';

const LONG_MS = 120_000;

interface World {
  readonly twin: Twin;
  readonly traps: readonly Trap[];
  readonly places: readonly string[];
  /** From now on every request that fits is sent on. */
  readonly sendOn: (to: Omit<Redirect, 'of'> | undefined, of?: (seen: TwinRequest) => boolean) => void;
}

/** A server with its authorization server, which gives tokens away and redirects whatever it is told to. */
async function openWorld(): Promise<World> {
  let rule: ((seen: TwinRequest) => Omit<Redirect, 'of'> | undefined) | undefined;
  const twin = await startTwin({
    redirect: (seen) => rule?.(seen),
    metadata: (honest) => ({
      ...honest,
      userinfo_endpoint: `${String(honest['issuer'])}/userinfo`,
      revocation_endpoint: `${String(honest['issuer'])}/revoke`,
    }),
  });
  onTestFinished(() => twin[Symbol.asyncDispose]());
  const traps = [await openTrap(), await openTrap('127.0.0.2', Number(new URL(twin.url).port))] as const;
  return {
    twin,
    traps,
    places: Object.values(elsewhere(twin.url, ...traps)),
    sendOn: (to, of = () => true) => {
      rule = (seen) => (of(seen) ? to : undefined);
    },
  };
}

const isAt = (path: string) => (seen: TwinRequest) => seen.path === path;

for (const [path, ends] of [
  ['/.well-known/oauth-protected-resource/mcp', 'any way'],
  ['/.well-known/oauth-authorization-server', 'any way'],
  ['/register', 'by hand'],
  ['/token', 'with the reason'],
  ['/userinfo', 'signed in'],
] as const) {
  verifies(
    ['attack:redirects', 'attack:E5'],
    `while signing in, a redirect of ${path} to another origin is not followed`,
    async () => {
      const { twin, traps, places, sendOn } = await openWorld();
      for (const [index, location] of [...places, ...places.slice(0, 1)].entries()) {
        const status = STATUSES[index % STATUSES.length] ?? 307;
        sendOn({ status, location }, isAt(path));
        await using hub = await openTestHub();
        await hub.servers.add({ definition: remoteServer(twin.url), test: false });
        const before = twin.to(path).length;
        const failed: unknown = await signIn(hub).then(
          () => undefined,
          (error: unknown) => error,
        );
        expectQuiet(...traps);
        expect(twin.to(path).length).toBeGreaterThan(before);
        if (ends === 'signed in') expect(failed).toBeUndefined();
        // Often the page where a person registers a program is what it redirects to.
        if (ends === 'by hand') expect(failed).toMatchObject({ next: 'plug auth site --client-id ID' });
        if (ends !== 'with the reason') continue;
        expect(failed).toMatchObject({
          server: 'site',
          message: expect.stringMatching(/redirects to \S+:\d+, and nothing was sent there/),
          next: 'Tell those who run the server that its sign-in redirects.',
        });
      }
      await expectUnvisited(...traps);
    },
    LONG_MS,
  );
}

verifies(
  ['attack:redirects', 'attack:E5', 'O3'],
  'a token in use, its renewal and its end are not carried to another origin',
  async () => {
    const { twin, traps, places, sendOn } = await openWorld();
    for (const [index, status] of STATUSES.entries()) {
      const to = { status, location: places[index] ?? '' };
      let ahead = 0;
      await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
      sendOn(undefined);
      await hub.servers.add({ definition: remoteServer(twin.url), test: false });
      await signIn(hub);
      expect(await callTool(hub, 'site/echo', { message: 'hi' })).toBe('hi');
      sendOn(to, isAt('/mcp'));
      const called = callTool(hub, 'site/echo', { message: 'hi' });
      await Promise.allSettled([called]);
      expectQuiet(...traps);
      await expect(called).rejects.toThrow(/redirects to/);
      ahead = 7_200_000;
      const renewals = twin.to('/token').length;
      sendOn(to, isAt('/token'));
      const renewed = callTool(hub, 'site/echo', { message: 'hi' });
      await Promise.allSettled([renewed]);
      expectQuiet(...traps);
      await expect(renewed).rejects.toThrow(/redirects to/);
      expect(twin.to('/token').length).toBeGreaterThan(renewals);
      sendOn(to, isAt('/revoke'));
      await hub.accounts.signOut({ server: 'site' });
      expect(twin.to('/revoke')).toHaveLength(index + 1);
    }
    await expectUnvisited(...traps);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects', 'attack:E5'],
  'the token of somebody who signed in with the built product stays at its server',
  async () => {
    const { twin, traps, places, sendOn } = await openWorld();
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    expect((await plug('add', 'site', twin.url, '--yes', '--no-test')).code).toBe(0);
    const typing = startTyping(plug, ['auth', 'site']);
    await browse(await typing.says(/^ {2}(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)$/m));
    expect((await typing.answer).code).toBe(0);
    expect((await plug('call', 'site/echo', 'message=hi')).stdout).toBe('hi\n');
    for (const [index, status] of STATUSES.entries()) {
      const before = twin.to('/mcp').length;
      sendOn({ status, location: places[index] ?? '' }, isAt('/mcp'));
      const { code, stderr } = await plug('call', 'site/echo', 'message=hi');
      expectQuiet(...traps);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/redirects to .* nothing was sent there/);
      expect(stderr).toContain('plug add site ADDRESS --replace');
      const seen = twin.to('/mcp').slice(before);
      expect(seen.length).toBeGreaterThan(0);
      for (const { authorization } of seen) expect(authorization).toMatch(/^Bearer twin-/);
    }
    await expectUnvisited(...traps);
  },
  LONG_MS,
);
