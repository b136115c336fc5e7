import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import {
  type PackageRegistry,
  packageRegistry,
  SERVER_FILE,
} from '../../../test/servers/package-registry.ts';
import { waitFor } from '../../../test/servers/start.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { listFiles } from './file-list.ts';
import { PackageStore, type PackageStoreOptions } from './package-store.ts';
import { RECORD } from './record.ts';

const TEST_MS = 60_000;
const ACME = { name: 'acme-notes', version: '1.2.3', bin: 'serve.js' };
const WANTED = { registry: 'npm', name: 'acme-notes', version: '1.2.3' } as const;
const REQUEST = { wanted: WANTED, server: 'notes', scripts: false, again: false };

function storeAt(
  folder: string,
  env: Readonly<Record<string, string>>,
  more: Partial<PackageStoreOptions> = {},
): PackageStore {
  return new PackageStore({
    folder,
    hubEnv: { PATH: process.env['PATH'], ...env },
    platform: process.platform,
    searchPath: () => Promise.resolve(process.env['PATH'] ?? ''),
    clock: systemClock,
    ids: systemIds,
    limits,
    ...more,
  });
}

/** A program that installs the package and prints how that went. */
const INSTALLING = new URL('../../../test/servers/installing-program.ts', import.meta.url).pathname;

function installing(folder: string, { env }: PackageRegistry) {
  return { PATH: process.env['PATH'], ...env, STORE: folder, WANTED: JSON.stringify(REQUEST) };
}

verifies(
  ['C18'],
  'an installation that is killed leaves nothing half: not in its place, no npm, and soon nothing beside it',
  async () => {
    const registry = await packageRegistry();
    registry.publish(ACME, { 'serve.js': SERVER_FILE });
    registry.hang();
    const folder = join(temporaryFolder(), 'packages');
    const child = spawn(process.execPath, [INSTALLING], {
      env: installing(folder, registry),
      stdio: 'ignore',
    });
    await waitFor(() => registry.asked.some((path) => path.includes('/-/')), 30_000);
    const [unfinished = ''] = readdirSync(folder);
    expect(unfinished).toMatch(/^\.installing-/);
    expect(processesWith(registry.url).length).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readdirSync(folder)).toEqual([unfinished]);
    await waitFor(() => processesWith(registry.url).length === 0, 15_000);

    const again = await packageRegistry();
    again.publish(ACME, { 'serve.js': SERVER_FILE });
    const store = storeAt(folder, again.env);
    expect(await store.find(WANTED)).toBeUndefined();
    const installed = await store.install(REQUEST);
    expect(installed).toMatchObject({ ...WANTED, packages: 1, programs: { 'acme-notes': { node: [] } } });
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await store.changed(installed, { thorough: true })).toEqual([]);
  },
  TEST_MS,
);

/** Whatever was given this registry, by its environment. */
function processesWith(url: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(url);
    } catch {
      return false; // it went while we looked
    }
  });
}

verifies(
  ['C18'],
  'a wait that is given up ends npm and leaves nothing, while others who want the same go on',
  async () => {
    const registry = await packageRegistry();
    registry.publish(ACME, { 'serve.js': SERVER_FILE });
    const folder = join(temporaryFolder(), 'packages');
    const store = storeAt(folder, registry.env);
    const leaving = new AbortController();
    const first = store.install({ ...REQUEST, signal: leaving.signal });
    const second = store.install(REQUEST);
    leaving.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    expect(await second).toMatchObject(WANTED);

    registry.publish({ ...ACME, version: '2.0.0' }, { 'serve.js': SERVER_FILE });
    registry.hang();
    const alone = new AbortController();
    const wanted = { ...WANTED, version: '2.0.0' };
    const third = store.install({ ...REQUEST, wanted, signal: alone.signal });
    await waitFor(() => registry.asked.some((path) => path.includes('/-/2.0.0')), 30_000);
    alone.abort(new Error('given up'));
    await expect(third).rejects.toThrow('given up');
    await waitFor(() => readdirSync(folder).length === 1, 10_000);
  },
  TEST_MS,
);

/** Mounting needs root in a namespace of one's own. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', tmpdir()]).status === 0;

if (canMount)
  verifies(
    ['C18'],
    'a full disk is said plainly, and nothing half is kept',
    async () => {
      const registry = await packageRegistry();
      const large = Buffer.from(
        Array.from({ length: 4_000_000 }, (_, index) => (index * 2_654_435_761) % 251),
      );
      registry.publish(ACME, { 'serve.js': SERVER_FILE, 'large.bin': large });
      const disk = temporaryFolder();
      const folder = join(disk, 'packages');
      const mounted = 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"';
      const child = spawn('unshare', ['-rm', 'sh', '-c', mounted, disk, process.execPath, INSTALLING], {
        env: installing(folder, registry),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await once(child, 'close');
      expect(JSON.parse(printed)).toMatchObject({
        error: { code: 'storage_failed', owner: 'you', details: { managerCode: 'ENOSPC' } },
        left: [],
      });
    },
    TEST_MS,
  );

test(
  'npm’s own failures are told by their cause',
  async () => {
    const registry = await packageRegistry();
    const store = storeAt(join(temporaryFolder(), 'packages'), registry.env);
    await expect(store.install(REQUEST)).rejects.toMatchObject({ code: 'not_found', owner: 'registry' });
    registry.publish({ ...ACME, version: '9.0.0' }, {});
    await expect(store.install(REQUEST)).rejects.toMatchObject({ code: 'not_found' });
    registry.close();
    const gone = storeAt(join(temporaryFolder(), 'packages'), {
      ...registry.env,
      npm_config_cache: temporaryFolder(),
    });
    await expect(gone.install(REQUEST)).rejects.toMatchObject({ code: 'unreachable', owner: 'network' });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'versions that no server names are removed after a month, and never one that is named',
  async () => {
    const folder = join(temporaryFolder(), 'packages');
    let now = Date.now();
    const clock = { ...systemClock, now: () => now };
    const store = storeAt(folder, {}, { clock, limits: { ...limits, packageUnusedMax: 2 } });
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
    for (const [index, version] of versions.entries()) {
      const place = join(folder, `npm-acme-notes@${version}-0`);
      mkdirSync(place, { recursive: true });
      writeFileSync(
        join(place, RECORD),
        JSON.stringify({ ...WANTED, format: 1, version, bytes: 1, programs: {} }),
      );
      utimesSync(join(place, RECORD), now / 1000, now / 1000 + index);
    }
    const left = async (named: readonly string[]): Promise<readonly string[]> => {
      await store.tidy(({ version }) => named.includes(version));
      return (await store.list()).map(({ version }) => version).toSorted();
    };
    expect(await left(['1.0.0'])).toEqual(versions);
    now += 2 * 24 * 60 * 60_000;
    // More than two that nobody names: the one that was used longest ago goes first.
    expect(await left(['1.0.0'])).toEqual(['1.0.0', '1.2.0', '1.3.0']);
    now += limits.packageUnusedMs;
    expect(await left(['1.0.0'])).toEqual(['1.0.0']);
    expect(readdirSync(folder)).toHaveLength(1);
  },
);

test('a folder with a link that leads out of it is refused, and a link in the store is not followed', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.js'), 'a');
  symlinkSync('a.js', join(folder, 'inside'));
  expect(await listFiles(folder, limits)).toHaveLength(2);
  symlinkSync('../../../etc/passwd', join(folder, 'outside'));
  await expect(listFiles(folder, limits)).rejects.toMatchObject({
    code: 'denied',
    details: { path: 'outside' },
  });

  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, RECORD), JSON.stringify({ ...WANTED, format: 1, programs: {} }));
  const store = join(temporaryFolder(), 'packages');
  mkdirSync(store);
  symlinkSync(elsewhere, join(store, 'npm-acme-notes@1.2.3-0'));
  expect(await storeAt(store, {}).find(WANTED)).toBeUndefined();
  rmSync(join(store, 'npm-acme-notes@1.2.3-0'));
});
