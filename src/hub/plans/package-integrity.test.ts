import { createHash } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { standingClock } from '../../../test/scenarios/lifecycle-clock.ts';
import { withHub } from '../../../test/scenarios/lifecycle-hub.ts';
import { listen, type Listener } from '../../../test/scenarios/registry-listener.ts';
import { standInNpx } from '../../../test/scenarios/stand-in-npx.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { defineServer, type ServerDefinition } from '../../servers/definition.ts';
import { PackageIntegrity } from './package-integrity.ts';

// As long and as random as real ones: a short one would not be taken for a secret by mistake.
const SUM = sha512('first');
const OTHER = sha512('second');
const DAY_MS = 24 * 60 * 60_000;

function sha512(text: string): string {
  return `sha512-${createHash('sha512').update(text).digest('base64')}`;
}

function npmAnswer(integrity: string): Listener['answer'] {
  const version = { name: 'acme-weather', version: '1.2.3', dist: { integrity } };
  return ({ pathname }) =>
    pathname === '/acme-weather'
      ? { name: 'acme-weather', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } }
      : undefined;
}

const WEATHER = defineServer({
  id: 'weather',
  endpoint: { kind: 'stdio', command: 'npx', args: ['-y', 'acme-weather@1.2.3'], env: {} },
  package: { registry: 'npm', name: 'acme-weather', version: '1.2.3', integrity: SUM },
});

function integrityAt(
  registry: string,
  { clock = systemClock, lookupMs }: { readonly clock?: Clock; readonly lookupMs?: number } = {},
): { readonly check: (definition?: ServerDefinition) => Promise<void>; readonly logged: readonly string[] } {
  const logged: string[] = [];
  const integrity = new PackageIntegrity({
    options: { env: { npm_config_registry: registry, UV_DEFAULT_INDEX: `${registry}/simple` } },
    clock,
    ids: systemIds,
    limits: { ...limits, integrityLookupMs: lookupMs ?? limits.integrityLookupMs },
    logger: { ...silentLogger, warn: (message) => void logged.push(message) },
    searchPath: () => Promise.resolve(process.env['PATH'] ?? ''),
  });
  onTestFinished(() => integrity.close());
  return { check: (definition = WEATHER) => integrity.check(definition, definition.endpoint), logged };
}

verifies(
  ['S14', 'attack:C11', 'attack:C13'],
  'a package whose content was replaced under the same version is refused before anything runs',
  async () => {
    const npm = await listen(npmAnswer(SUM));
    const { PATH, calls } = standInNpx();
    const env = { PATH, npm_config_registry: npm.url };
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: join(folder, 'plugboard.db') } as const;
    await withHub({ env, folder, storage }, async ({ hub }) => {
      const { plans } = await hub.plans.make({ text: 'npx -y acme-weather' });
      await hub.plans.install({ plan: plans[0]?.plan ?? '', id: 'weather' });
      await hub.servers.stop({ id: 'weather' });
      await hub.servers.start({ id: 'weather' });
      expect(calls()).toHaveLength(2);
    });
    npm.answer = npmAnswer(OTHER);
    await withHub({ env, folder, storage }, async ({ hub, spawns }) => {
      await expect(hub.servers.start({ id: 'weather' })).rejects.toMatchObject({
        code: 'denied',
        owner: 'registry',
        server: 'weather',
        message: expect.stringContaining(`its checksum was ${SUM}, now it is ${OTHER}`) as string,
        next: expect.stringContaining('plug remove weather') as string,
      });
      expect(spawns()).toBe(0);
      expect(calls()).toHaveLength(2);
      // Once the registry is right again, so is the server.
      npm.answer = npmAnswer(SUM);
      await hub.servers.restart({ id: 'weather' });
      expect(calls()).toHaveLength(3);
    });
  },
  60_000,
);

test('a server starts without a network, and the log says that its checksum was not compared', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo; // a TCP listener has one
  gone.close();
  await once(gone, 'close');
  const { PATH, calls } = standInNpx();
  await withHub({ env: { PATH, npm_config_registry: `http://127.0.0.1:${port}` } }, async ({ hub }) => {
    await hub.servers.add({ definition: WEATHER, test: true });
    expect(calls()).toHaveLength(1);
  });
  const { check, logged } = integrityAt(`http://127.0.0.1:${port}`);
  await check();
  await check();
  expect(logged).toEqual([expect.stringMatching(/acme-weather 1\.2\.3 is started without a check/)]);
});

test('an index that is silent holds a start up for a short time, and not again at the next start', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const sockets: { destroy(): void }[] = [];
  silent.on('connection', (socket) => sockets.push(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo; // a TCP listener has one
  const { check, logged } = integrityAt(`http://127.0.0.1:${port}`, { lookupMs: 50 });
  await Promise.all([check(), check()]);
  await check();
  expect(logged).toEqual([expect.stringContaining('did not answer within 0.05 s')]);
});

test('the index is asked once a day, however often the server starts', async () => {
  const npm = await listen(npmAnswer(SUM));
  const clock = standingClock();
  const { check } = integrityAt(npm.url, { clock });
  await Promise.all([check(), check()]);
  await check();
  expect(npm.asked).toHaveLength(1);
  npm.answer = npmAnswer(OTHER);
  await clock.advance(DAY_MS - 1);
  await check();
  expect(npm.asked).toHaveLength(1);
  await clock.advance(1);
  await expect(check()).rejects.toMatchObject({ code: 'denied' });
  // A refusal is not kept: it is asked anew each time.
  await expect(check()).rejects.toMatchObject({ code: 'denied' });
  expect(npm.asked).toHaveLength(3);
});

test('what was not recorded, or is no longer what runs, is not asked for', async () => {
  const npm = await listen(npmAnswer(OTHER));
  const { check, logged } = integrityAt(npm.url);
  await check({ ...WEATHER, package: { registry: 'npm', name: 'acme-weather', version: '1.2.3' } });
  const newer = { kind: 'stdio', command: 'npx', args: ['-y', 'acme-weather@1.3.0'], env: {} } as const;
  await check({ ...WEATHER, endpoint: newer });
  await check({ ...WEATHER, endpoint: { kind: 'http', url: 'https://weather.example/mcp', headers: {} } });
  expect(npm.asked).toEqual([]);
  npm.answer = () => ({ name: 'acme-weather', versions: {} });
  await check();
  expect(logged).toEqual([expect.stringContaining('no longer lists this version')]);
});

test('a Python package is compared with the files of its version', async () => {
  const sum = (digit: string): string => Buffer.from(digit.repeat(64), 'hex').toString('base64');
  const filesOf = (digit: string): Listener['answer'] => {
    const hashes = { sha256: digit.repeat(64) };
    return () => ({ files: [{ filename: 'acme_tides-0.4.0-py3-none-any.whl', hashes }] });
  };
  const tides = defineServer({
    id: 'tides',
    endpoint: { kind: 'stdio', command: 'uvx', args: ['acme-tides==0.4.0'], env: {} },
    package: {
      registry: 'pypi',
      name: 'acme-tides',
      version: '0.4.0',
      integrity: `sha256-${sum('1')}`,
    },
  });
  const index = await listen(filesOf('1'));
  const same = integrityAt(index.url);
  await same.check(tides);
  expect(index.asked).toEqual(['/simple/acme-tides/']);
  index.answer = filesOf('2');
  await expect(integrityAt(index.url).check(tides)).rejects.toMatchObject({
    code: 'denied',
    server: 'tides',
  });
});
