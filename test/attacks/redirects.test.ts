import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug, type Answer } from '../scenarios/plug-command.ts';
import {
  elsewhere,
  expectQuiet,
  expectUnvisited,
  openSite,
  openTrap,
  STATUSES,
  type Site,
} from './redirects-world.ts';

const LONG_MS = 180_000;
const KEY = 'canary-key-4fT9wQ2zLx8V';
const BEARER = 'canary-bearer-7Yq3Nd5KpW';
const SAID = 'canary-words-1Rc3Hg6JsM';

/** What failed, where it leads, that nothing went there, and one thing to do. */
function expectExplained({ code, stdout, stderr }: Answer, server: string): void {
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/redirects to (?:127\.0\.0\.\d|localhost):\d+.*nothing was sent there/);
  expect(stderr.match(/^ +next .*/gm)).toEqual([
    expect.stringContaining(`plug add ${server} ADDRESS --replace`),
  ]);
  for (const secret of [KEY, BEARER, SAID]) expect(stdout + stderr).not.toContain(secret);
}

/** The site got everything, so there was something to lose; under no other name, and in no other scheme. */
function expectAlone(site: Site): void {
  const { host } = new URL(site.url);
  expect(site.requests.length).toBeGreaterThan(0);
  for (const { headers } of site.requests) {
    expect(headers).toMatchObject({ host, 'x-api-key': KEY, authorization: `Bearer ${BEARER}` });
  }
  expect(site.noise()).toBe(0);
}

const withKeys = ['--header', `X-Api-Key: ${KEY}`, '--header', `Authorization: Bearer ${BEARER}`] as const;

verifies(
  ['attack:redirects', 'attack:E5', 'attack:E6'],
  'a call that is redirected to another origin takes nothing there: no key, no session, no arguments',
  async () => {
    const site = await openSite('legacy-stateful-json');
    const [trap, sameport] = [await openTrap(), await openTrap('127.0.0.2', Number(new URL(site.url).port))];
    const plug = newPlug();
    const added = await plug('add', 'site', site.url, ...withKeys, '--yes');
    expect([added.code, added.stderr]).toEqual([0, '']);
    const places = Object.values(elsewhere(site.url, trap, sameport));
    for (const [index, location] of places.entries()) {
      for (const status of index === 0 ? STATUSES : [STATUSES[index % STATUSES.length] ?? 307, 307]) {
        site.redirect = { status, location, of: ({ method }) => method === 'tools/call' };
        const answer = await plug('call', 'site/echo', `message=${SAID}`);
        expectQuiet(trap, sameport);
        expectExplained(answer, 'site');
      }
    }
    const calls = site.requests.filter(({ method }) => method === 'tools/call');
    expect(calls.length).toBeGreaterThan(places.length);
    for (const { headers } of calls) expect(headers).toHaveProperty('mcp-session-id');
    // The farewell, which names the session, is a request too.
    site.redirect = { status: 307, location: `${trap.url}/mcp` };
    expect((await plug('stop', 'site')).code).toBe(0);
    await expect.poll(() => site.requests.some(({ verb }) => verb === 'DELETE')).toBe(true);
    expectAlone(site);
    await expectUnvisited(trap, sameport);
  },
  LONG_MS,
);

for (const [kind, ...flags] of [
  ['modern'],
  ['legacy-stateful-sse'],
  ['legacy-sse'],
  ['legacy-sse', '--transport', 'sse'],
  ['websocket'],
] as const) {
  verifies(
    ['attack:redirects', 'attack:E5', 'attack:E6'],
    `a server of the kind ${[kind, ...flags].join(' ')} that redirects from the start gets no key to another origin`,
    async () => {
      const site = await openSite(kind);
      const trap = await openTrap();
      const sameport = await openTrap('127.0.0.2', Number(new URL(site.url).port));
      const plug = newPlug();
      site.redirect = { status: 307, location: trap.url };
      await plug('add', 'site', site.url, ...withKeys, ...flags, '--yes', '--no-test');
      const ws = site.url.startsWith('ws:');
      const places = Object.values(elsewhere(site.url, trap, sameport));
      for (const [index, status] of STATUSES.entries()) {
        const location = places[(index * 2) % places.length] ?? '';
        site.redirect = { status, location: ws ? location.replace(/^http/, 'ws') : location };
        const answer = await plug('call', 'site/echo', `message=${SAID}`);
        expectQuiet(trap, sameport);
        expectExplained(answer, 'site');
      }
      expectAlone(site);
      await expectUnvisited(trap, sameport);
      site.redirect = undefined;
      expect(await plug('call', 'site/echo', `message=${SAID}`)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(SAID),
      });
    },
    LONG_MS,
  );
}

verifies(
  ['attack:redirects'],
  'a redirect within the origin is followed, with the key; one that would lose the message is named',
  async () => {
    const site = await openSite('modern');
    const plug = newPlug();
    const old = new URL('/old', site.url).href;
    site.redirect = { status: 308, location: '/mcp', of: ({ path }) => path === '/old' };
    expect((await plug('add', 'site', old, ...withKeys, '--yes')).code).toBe(0);
    expect((await plug('call', 'site/echo', `message=${SAID}`)).stdout).toContain(SAID);
    expect(new Set(site.requests.map(({ path }) => path))).toEqual(new Set(['/old', '/mcp']));
    expectAlone(site);
    site.redirect = { status: 302, location: '/mcp', of: ({ path }) => path === '/old' };
    const { code, stderr } = await plug('call', 'site/echo', `message=${SAID}`);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/redirects .* \(HTTP 302\)/);
    expect(stderr).toContain('plug add site ADDRESS --replace');
  },
  LONG_MS,
);
