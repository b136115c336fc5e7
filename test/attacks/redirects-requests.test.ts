import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { fetchSend } from '../../src/api/fetch-send.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { publicOnly } from '../../src/connections/http/address-guard.ts';
import { createHttpClient } from '../../src/connections/http/http-client.ts';
import { Outgoing } from '../../src/hub/plans/outgoing.ts';
import { Icons } from '../../src/hub/icons/icons.ts';
import { fetchBundle } from '../../src/servers/plans/fetch-bundle.ts';
import { httpProbe } from '../../src/servers/plans/probe.ts';
import { pypiMetadata } from '../../src/servers/plans/package-metadata.ts';
import { verifies } from '../requirements.ts';
import { everythingCommand, newPlug } from '../scenarios/plug-command.ts';
import { selfSigned } from '../self-signed.ts';
import {
  STATUSES,
  type Trap,
  elsewhere,
  expectQuiet,
  expectUnvisited,
  listenOn,
  openTrap,
} from './redirects-world.ts';

const LONG_MS = 120_000;
const KEY = 'canary-key-4fT9wQ2zLx8V';
const base = { clock: systemClock, ids: systemIds };

interface Asked {
  readonly path: string;
  readonly text: string;
}

interface Redirector {
  readonly origin: string;
  readonly traps: readonly Trap[];
  readonly places: readonly string[];
  readonly asked: Asked[];
  to: { readonly status: number; readonly location: string };
}

/** A service that answers everything with a redirect. */
async function openRedirector(): Promise<Redirector> {
  const { origin } = await listenOn((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      state.asked.push({ path: request.url ?? '', text: JSON.stringify(request.headers) + body });
      response.writeHead(state.to.status, { location: state.to.location }).end();
    });
  });
  const traps = [await openTrap(), await openTrap('127.0.0.2', Number(new URL(origin).port))] as const;
  const places = Object.values(elsewhere(origin, ...traps));
  const state: Redirector = {
    origin,
    traps,
    places,
    asked: [],
    to: { status: 307, location: places[0] ?? '' },
  };
  return state;
}

/** Each status once, each with another place. */
function* redirects({ places }: Redirector): Generator<Redirector['to']> {
  for (const [index, status] of STATUSES.entries()) yield { status, location: places[index] ?? '' };
}

/** What it was asked held the key: there was something to lose. */
function expectKeyAt(service: Redirector, times: number): void {
  expect(service.asked.filter(({ text }) => text.includes(KEY)).length).toBeGreaterThanOrEqual(times);
}

verifies(
  ['attack:redirects', 'S12'],
  'a registry that redirects gets its key nowhere else, and the search says so',
  async () => {
    const registry = await openRedirector();
    const own = { url: registry.origin, headers: { authorization: `Bearer ${KEY}`, 'x-key': KEY } };
    const plug = newPlug({ PLUG_REGISTRIES: JSON.stringify({ official: false, smithery: false, own }) });
    for (const to of redirects(registry)) {
      registry.to = to;
      const { code, stdout, stderr } = await plug('search', `files${to.status}`);
      expectQuiet(...registry.traps);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(/The registry “own” redirects to \S+:\d+, and nothing was sent there/);
      expect(stdout + stderr).toMatch(/set its new URL/);
    }
    expectKeyAt(registry, STATUSES.length);
    await expectUnvisited(...registry.traps);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects', 'A1'],
  'a model that redirects gets neither its key nor what was said to it anywhere else, and the test says so',
  async () => {
    const model = await openRedirector();
    const plug = newPlug({ PLUG_NO_KEYRING: '1', MODEL_KEY: KEY });
    const place = ['--url', `${model.origin}/v1`, '--key-env', 'MODEL_KEY'];
    const added = await plug('model', 'add', 'mine', 'compatible', 'gemma', ...place);
    expect([added.code, added.stderr]).toEqual([0, '']);
    for (const to of redirects(model)) {
      model.to = to;
      const { code, stdout, stderr } = await plug('model', 'test', 'mine');
      expectQuiet(...model.traps);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(/it sends us on to \S+:\d+, and nothing was sent there/);
      expect(stdout + stderr).toContain('plug model add mine');
      expect(stdout + stderr).not.toContain(KEY);
    }
    expectKeyAt(model, STATUSES.length);
    await expectUnvisited(...model.traps);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects', 'H4'],
  'a collector of telemetry that redirects gets its key and its figures nowhere else',
  async () => {
    const collector = await openRedirector();
    const plug = newPlug({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${KEY}`,
    });
    const [command = '', ...args] = everythingCommand();
    expect((await plug('add', 'demo', '--yes', '--', command, ...args)).code).toBe(0);
    for (const status of [302, 307]) {
      collector.to = { status, location: collector.places[0] ?? '' };
      expect((await plug('call', 'demo/echo', 'message=hi')).code).toBe(0);
      await plug('hub', 'stop');
    }
    expectKeyAt(collector, 2);
    await expectUnvisited(...collector.traps);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects'],
  'what asks indexes and unknown servers follows no redirect, nor does a program that talks to its hub',
  async () => {
    const service = await openRedirector();
    const outgoing = new Outgoing({ ...base, limits, env: {} });
    onTestFinished(() => outgoing.close());
    const { open: fetch } = outgoing;
    const index = pypiMetadata({ fetch, limits, index: `${service.origin}/simple` });
    const probe = httpProbe({ fetch, limits, offersSignIn: () => Promise.resolve(false) });
    const send = fetchSend({ url: service.origin, token: KEY, headers: () => ({ 'x-page': KEY }) });
    for (const to of redirects(service)) {
      service.to = to;
      await expect(index.lookup('acme', '1.0.0')).rejects.toMatchObject({ code: 'unreachable' });
      expect(await probe(`${service.origin}/mcp`, {})).toEqual({ kind: 'unreachable' });
      const call = { method: 'POST', path: '/v1/calls', body: `{"say":"${KEY}"}` } as const;
      await expect(send(call)).rejects.toMatchObject({ code: 'hub_unavailable' });
    }
    expectKeyAt(service, STATUSES.length);
    await expectUnvisited(...service.traps);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects'],
  'a picture that is elsewhere is no picture',
  async () => {
    const trap = await openTrap();
    const { key, cert } = selfSigned();
    const asked: string[] = [];
    const secure = createHttpsServer({ key, cert }, ({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(Number(url.slice(1)), { location: `${trap.url}/a.png` }).end();
    }).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    onTestFinished(() => void secure.close());
    await using client = createHttpClient({ ...base, ca: cert });
    const icons = new Icons({ fetch: client.fetch, clock: systemClock, limits });
    const { port } = secure.address() as AddressInfo; // a TCP listener has one
    for (const status of STATUSES)
      expect(await icons.get([`https://127.0.0.1:${port}/${status}`])).toEqual({});
    expect(asked).toHaveLength(STATUSES.length);
    await expectUnvisited(trap);
  },
  LONG_MS,
);

verifies(
  ['attack:redirects'],
  'a download follows its host to another one, takes nothing of ours along, and does not reach into this machine',
  async () => {
    const bytes = '{}'; // what a trap answers
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const service = await openRedirector();
    const [trap, other] = service.traps;
    if (!trap || !other) throw new Error('There are two traps.');
    const url = `${service.origin.replace('//', `//name:${KEY}@`)}/a.mcpb?token=${KEY}`;
    // As the hub's own, but that 127.0.0.1 stands for the public internet.
    const guard = (ip: string): string | undefined => (ip === '127.0.0.1' ? undefined : publicOnly(ip));
    await using client = createHttpClient({ ...base, guard });
    for (const status of STATUSES) {
      service.to = { status, location: `${trap.url}/stored.mcpb` };
      const got = await fetchBundle({ url, sha256 }, { fetch: client.fetch, limits });
      expect(Buffer.from(got).toString()).toBe(bytes);
      for (const location of [`${other.url}/a`, `https://127.0.0.1:${trap.port}/a`, 'file:///etc/passwd']) {
        service.to = { status, location };
        await expect(fetchBundle({ url, sha256 }, { fetch: client.fetch, limits })).rejects.toMatchObject({
          code: 'unreachable',
        });
      }
    }
    expect(trap.visits()).toBe(STATUSES.length);
    expect(trap.heard()).toContain('GET /stored.mcpb');
    expect(trap.heard()).not.toContain(KEY);
    expect(trap.heard()).not.toMatch(/authorization|cookie|referer/i);
    await expectUnvisited(other);
  },
  LONG_MS,
);
