import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { startHub } from '../contracts/running-hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { browse } from '../sign-in/browser.ts';
import {
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationFixture,
} from '../sign-in/start.ts';
import { answerOf } from './plug-command.ts';
import { keyedCommand } from './seen-servers.ts';
import { newSeeing, watchPlug, type Seen, type Watched } from './seen-plug.ts';

/** The rows of the error table that are about who may come in. */
const LONG_MS = 120_000;
const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)/m;

/** A server that wants people to sign in. */
async function openSite(): Promise<{ readonly as: AuthorizationFixture; readonly url: string }> {
  const as = await startAuthorizationServer();
  onTestFinished(() => as[Symbol.asyncDispose]());
  const site = await startProtectedServer({ issuer: as.origin });
  onTestFinished(() => site[Symbol.asyncDispose]());
  return { as, url: site.url };
}

async function inBrowser(watching: Watched): Promise<Seen> {
  await browse(await watching.says(ADDRESS));
  return watching.ended;
}

verifies(
  ['L5', 'O1', 'O4'],
  'OAuth fails: the terminal says that the sign-in was refused, and the same command signs in afterwards',
  async () => {
    const { as, url } = await openSite();
    const { see, watch } = newSeeing();
    expect((await see('add', 'site', url, '--yes', '--no-test')).code).toBe(0);
    await as.post('/_person?name=');
    const refused = await inBrowser(watch('auth', 'site'));
    expect(refused.code).toBe(4);
    expect(refused.screen).toContain('✖ You did not let us into site.\n  next   plug auth site\n');
    // Who calls a tool all the same reads the same next command.
    const call = await see('call', 'site/echo', 'message=hi');
    expect(call.code).toBe(4);
    expect(call.screen).toMatch(/✖ site wants you to sign in.*\n {2}next {3}plug auth site\n/);
    expect((await see('status')).screen).toMatch(/◐ site: needs sign-in[^]*next +plug auth site/);

    await as.post('/_person?name=alice');
    const again = await inBrowser(watch('auth', 'site'));
    expect(again.code).toBe(0);
    expect(again.screen).toContain('✔ Signed in to site as @alice.');
    expect((await see('call', 'site/echo', 'message=hi')).screen).toBe('hi\n');
  },
  LONG_MS,
);

verifies(
  ['L5', 'O1'],
  'OAuth times out: after two minutes the terminal says that nobody came, and the same command works later',
  async () => {
    const { url } = await openSite();
    const [home, cwd] = [temporaryFolder(), temporaryFolder()];
    const clock = hurryingClock();
    await runHubHere({ home, cwd, clock });
    const see = (...argv: readonly string[]): Watched => watchPlug({ home, cwd }, argv);
    expect((await see('add', 'site', url, '--yes', '--no-test').ended).code).toBe(0);
    const waiting = see('auth', 'site');
    await waiting.says(ADDRESS);
    await waiting.says(/You have 2 minutes/);
    clock.skip(2 * 60_000);
    const late = await waiting.ended;
    expect(late.code).toBe(4);
    expect(late.screen).toContain(
      '✖ The sign-in to site was not completed within 2 minutes.\n  next   plug auth site\n',
    );
    expect((await inBrowser(see('auth', 'site'))).screen).toContain('✔ Signed in to site as @alice.');
  },
  LONG_MS,
);

verifies(
  ['L5', 'O6', 'V5'],
  'invalid API key of a remote server: it is the key that is wrong, not the sign-in, and the right one works at once',
  async () => {
    const [wrong, right] = ['sk-wrong-51f0c2', 'sk-right-77ab90'];
    await using remote = await startHttpFixture('unauthorized', { token: right });
    const { see, plug } = newSeeing();
    const added = await see(
      'add',
      'maps',
      remote.url,
      '-H',
      `Authorization: Bearer ${wrong}`,
      '--yes',
      '--no-test',
    );
    expect(added.code).toBe(0);
    const call = await see('call', 'maps/echo', 'message=hi');
    expect(call.code).toBe(4);
    expect(call.screen).toMatch(
      /✖ maps does not accept its key \(HTTP 401\)\.\n {2}next {3}plug secrets set maps\/\S+ && plug restart maps\n/,
    );
    const [, name = ''] = /plug secrets set (\S+) &&/.exec(call.screen) ?? [];
    const status = await see('status');
    expect(status.screen).toMatch(/maps[^]*does not accept its key[^]*next +plug secrets set/);
    expect((await answerOf(plug.begin(['secrets', 'set', name], `${right}\n`))).code).toBe(0);
    expect((await see('restart', 'maps')).screen).toMatch(/● maps: ready/);
    expect((await see('call', 'maps/echo', 'message=hi')).screen).toBe('hi\n');
    for (const { screen } of [added, call, status]) expect(screen).not.toMatch(/sk-(wrong|right)/);
  },
  LONG_MS,
);

verifies(
  ['L5', 'V2', 'V5'],
  'invalid API key of a local server: the terminal says that its key is wrong and where to put a new one',
  async () => {
    const [wrong, right] = ['sk-wrong-51f0c2', 'sk-right-77ab90'];
    const { see, plug } = newSeeing();
    const command = ['--', ...keyedCommand(right)];
    const added = await see(
      'add',
      'weather',
      '-e',
      `WEATHER_API_KEY=${wrong}`,
      '--yes',
      '--no-test',
      ...command,
    );
    expect(added.code).toBe(0);
    const call = await see('call', 'weather/forecast');
    expect(call.code).toBe(5);
    expect(call.screen).toContain('Its key or token is missing, wrong or expired');
    expect(call.screen).toMatch(
      /\n {2}next {3}plug secrets set weather\/WEATHER_API_KEY && plug restart weather\n/,
    );
    expect(call.screen).toContain('│ Error: 401 Unauthorized: invalid API key');
    expect((await see('status')).screen).toMatch(/✖ weather: crashed \(exit 1\)/);

    const { code } = await answerOf(plug.begin(['secrets', 'set', 'weather/WEATHER_API_KEY'], `${right}\n`));
    expect(code).toBe(0);
    expect((await see('restart', 'weather')).screen).toMatch(/● weather: ready/);
    expect((await see('call', 'weather/forecast')).screen).toBe('sunny\n');
    for (const { screen } of [added, call]) expect(screen).not.toMatch(/sk-(wrong|right)/);
  },
  LONG_MS,
);

/** A real hub on real sockets, whose minutes a test can skip. */
async function runHubHere(options: {
  readonly home: string;
  readonly cwd: string;
  readonly clock: Clock;
}): Promise<void> {
  const { home, cwd, clock } = options;
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string }; // the package is ours
  const paths = { config: `${home}/plug`, data: `${home}/plug`, state: `${home}/plug` };
  const env = { PATH: process.env['PATH'], HOME: home, PLUG_NO_KEYRING: '1' };
  await startHub(() => openHub({ paths, cwd, env, version, clock }), { paths, version });
}

/** The real clock, but those who sleep can be woken as if their time had come. */
function hurryingClock(): Clock & { skip(ms: number): void } {
  const sleepers = new Set<{ readonly ms: number; readonly wake: () => void }>();
  return {
    ...systemClock,
    sleep: async (ms, signal) => {
      const woken = new AbortController();
      const sleeper = { ms, wake: () => woken.abort() };
      sleepers.add(sleeper);
      try {
        await systemClock.sleep(ms, signal ? AbortSignal.any([signal, woken.signal]) : woken.signal);
      } catch (error) {
        if (!woken.signal.aborted || signal?.aborted) throw error;
      } finally {
        sleepers.delete(sleeper);
      }
    },
    skip: (ms) => {
      for (const sleeper of sleepers) if (sleeper.ms <= ms) sleeper.wake();
    },
  };
}
