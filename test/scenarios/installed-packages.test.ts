import { existsSync, readdirSync, readFileSync, statSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { defineServer, fingerprintOf, type PackageRef } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { packageRegistry, SERVER_FILE, type PublishedPackage } from '../servers/package-registry.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { textOf, withHub } from './lifecycle-hub.ts';
import { standInNpx } from './stand-in-npx.ts';

const TEST_MS = 90_000;
const ACME = { name: '@acme/notes', version: '1.2.3', bin: { 'acme-notes': 'serve.js' } };
const FILES = { 'serve.js': SERVER_FILE };

interface Started {
  readonly argv: readonly string[];
  readonly path: string;
}

async function started(hub: Hub, id = 'notes'): Promise<Started> {
  return JSON.parse(await textOf(hub, `${id}/get_start`)) as Started; // as the server answers
}

function packagesIn(folder: string): readonly string[] {
  const store = join(folder, 'packages');
  return existsSync(store) ? readdirSync(store) : [];
}

function serverOf(id: string, args: readonly string[], pinned?: PackageRef) {
  const endpoint = { kind: 'stdio', command: 'npx', args, env: {} } as const;
  return defineServer({ id, endpoint, ...(pinned ? { package: pinned } : {}) });
}

function pinnedTo({ name, version, integrity }: PublishedPackage): PackageRef {
  return { registry: 'npm', name, version, integrity };
}

verifies(
  ['C18'],
  'a package is installed once by npm and started by its own program: no npx, and no network afterwards',
  async () => {
    const registry = await packageRegistry();
    const { integrity } = registry.publish({ ...ACME, dependencies: { 'acme-left': '^1.0.0' } }, FILES);
    registry.publish({ name: 'acme-left', version: '1.0.4' }, { 'index.js': '' });
    const { PATH, calls } = standInNpx();
    await withHub({ env: { ...registry.env, PATH } }, async ({ hub, folder }) => {
      const { plans } = await hub.plans.make({ text: 'npx -y @acme/notes --quick' });
      const steps: string[] = [];
      await hub.plans.install(
        { plan: plans[0]?.plan ?? '', id: 'notes' },
        { onProgress: ({ text }) => void steps.push(text) },
      );
      const [place = ''] = packagesIn(folder);
      expect(packagesIn(folder)).toHaveLength(1);
      expect(statSync(join(folder, 'packages')).mode & 0o077).toBe(0);
      const program = join(folder, 'packages', place, 'node_modules/@acme/notes/serve.js');
      const first = await started(hub);
      expect(first.argv).toEqual([program, '--quick']);
      expect(first.path).toContain(join(place, 'node_modules/.bin'));
      expect(steps.join('\n')).toMatch(
        /Fetching @acme\/notes 1\.2\.3[^]*Installed @acme\/notes 1\.2\.3: 2 packages/,
      );
      // What the user agreed to is what is kept, and what policy goes by.
      const definition = await hub.servers.definition({ id: 'notes' });
      expect(definition.endpoint).toMatchObject({
        command: 'npx',
        args: ['-y', '@acme/notes@1.2.3', '--quick'],
      });
      expect(definition.package).toMatchObject({ integrity });
      expect(fingerprintOf(definition)).toBe(
        fingerprintOf(serverOf('notes', ['-y', '@acme/notes@1.2.3', '--quick'])),
      );
      const { packages } = await hub.status();
      expect(packages.count).toBe(1);
      expect(packages.bytes).toBeGreaterThan(SERVER_FILE.length);
      expect(existsSync(join(folder, 'packages', place, 'compiled'))).toBe(true);
      registry.close();
      const asked = registry.asked.length;
      await hub.servers.restart({ id: 'notes' });
      expect((await started(hub)).argv[0]).toBe(program);
      expect(registry.asked).toHaveLength(asked);
      expect(calls()).toEqual([]);
    });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'servers of one package, also in two hubs at once, share one folder',
  async () => {
    const registry = await packageRegistry();
    const pinned = pinnedTo(registry.publish(ACME, FILES));
    const { PATH, calls } = standInNpx();
    const folder = temporaryFolder();
    const options = { env: { ...registry.env, PATH }, folder };
    await withHub(options, async ({ hub: one }) =>
      withHub(options, async ({ hub: two }) => {
        const add = (hub: Hub, id: string, given?: PackageRef) =>
          hub.servers.add({ definition: serverOf(id, ['-y', '@acme/notes@1.2.3', id], given) });
        await Promise.all([add(one, 'a', pinned), add(one, 'b'), add(two, 'c', pinned)]);
        const places = await Promise.all([started(one, 'a'), started(one, 'b'), started(two, 'c')]);
        expect(new Set(places.map(({ argv }) => argv[0])).size).toBe(1);
        expect(places.map(({ argv }) => argv[1])).toEqual(['a', 'b', 'c']);
        expect(packagesIn(folder)).toHaveLength(1);
        expect(calls()).toEqual([]);
      }),
    );
  },
  TEST_MS,
);

verifies(
  ['C18', 'attack:C13'],
  'a package that is not the approved one, or not what its index promises, is neither kept nor started',
  async () => {
    const registry = await packageRegistry();
    const published = registry.publish(ACME, FILES);
    const { PATH, calls } = standInNpx();
    await withHub({ env: { ...registry.env, PATH } }, async ({ hub, folder }) => {
      const add = (pinned: PackageRef) =>
        hub.servers.add({ definition: serverOf('notes', ['-y', '@acme/notes@1.2.3'], pinned) });
      const other = { ...pinnedTo(published), integrity: `sha512-${Buffer.alloc(64).toString('base64')}` };
      await expect(add(other)).rejects.toMatchObject({ code: 'denied', owner: 'registry' });
      registry.state('@acme/notes', '1.2.3', { integrity: other.integrity });
      await expect(add(other)).rejects.toMatchObject({ code: 'denied', owner: 'registry' });
      expect(packagesIn(folder)).toEqual([]);
      expect(calls()).toEqual([]);
      expect((await hub.servers.list()).servers).toEqual([]);
    });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'install scripts run only when a person allows them; until then npx starts the server, and it is said why',
  async () => {
    const registry = await packageRegistry();
    const ran = join(temporaryFolder(), 'ran');
    const built = `require('fs').writeFileSync(${JSON.stringify(ran)}, JSON.stringify(process.env))`;
    const scripts = { postinstall: 'node build.js' };
    registry.publish({ name: 'acme-native', version: '2.0.0', scripts }, { 'build.js': built });
    registry.publish({ ...ACME, dependencies: { 'acme-native': '2.0.0' } }, FILES);
    const { PATH, calls } = standInNpx();
    const env = { ...registry.env, PATH, HUB_ONLY: 'a-secret' };
    await withHub({ env }, async ({ hub }) => {
      await hub.servers.add({ definition: serverOf('notes', ['-y', '@acme/notes@1.2.3']) });
      expect(calls()).toHaveLength(1);
      expect(existsSync(ran)).toBe(false);
      const { problems } = await hub.servers.get({ id: 'notes' });
      expect(problems).toEqual([expect.stringContaining('acme-native') as string]);
      await expect(hub.servers.install({ id: 'notes' })).rejects.toMatchObject({
        code: 'unsupported',
        remedy: { do: 'install-package', server: 'notes', scripts: true },
        details: { scripts: ['acme-native'] },
      });
      expect(existsSync(ran)).toBe(false);
      const outcome = await hub.servers.install({ id: 'notes', scripts: true });
      expect(outcome.package).toMatchObject({ version: '1.2.3', scripts: ['acme-native'] });
      expect(readFileSync(ran, 'utf8')).not.toContain('a-secret');
      expect((await started(hub)).argv[0]).toContain('/packages/');
      expect(calls()).toHaveLength(1);
    });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'an entry of the user’s own file without a version is installed when asked for, and stays as written',
  async () => {
    const registry = await packageRegistry();
    registry.publish(ACME, FILES);
    const { PATH, calls } = standInNpx();
    const config = temporaryFolder();
    const file = join(config, 'mcp.json');
    const text = JSON.stringify({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes'] } } });
    writeFileSync(file, text);
    const folder = temporaryFolder();
    const options = { env: { ...registry.env, PATH }, config, folder };
    const storage = { kind: 'sqlite', file: join(folder, 'plugboard.db') } as const;
    await withHub({ ...options, storage }, async ({ hub }) => {
      await hub.servers.start({ id: 'notes' });
      expect(calls()).toEqual(['-y @acme/notes']);
      expect(packagesIn(folder)).toEqual([]);
      const { package: pack, already } = await hub.servers.install({ id: 'notes' });
      expect({ version: pack.version, already }).toEqual({ version: '1.2.3', already: false });
      registry.publish({ ...ACME, version: '2.0.0' }, FILES);
      expect((await started(hub)).argv[0]).toContain('@1.2.3-');
      expect((await hub.servers.install({ id: 'notes' })).already).toBe(true);
    });
    await withHub({ ...options, storage }, async ({ hub }) => {
      expect((await started(hub)).argv[0]).toContain('@1.2.3-');
      expect(calls()).toHaveLength(1);
      expect(readFileSync(file, 'utf8')).toBe(text);
    });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'doctor shows the room that packages take, finds a changed file, and installs the package again',
  async () => {
    const registry = await packageRegistry();
    registry.publish(ACME, FILES);
    await withHub({ env: registry.env }, async ({ hub, folder }) => {
      await hub.servers.add({ definition: serverOf('notes', ['-y', '@acme/notes@1.2.3']) });
      const look = async () => (await hub.doctor.run({})).rows.filter(({ check }) => check === 'packages');
      expect(await look()).toEqual([expect.objectContaining({ status: 'pass' })]);
      const { argv } = await started(hub);
      const program = argv[0] ?? '';
      appendFileSync(program, '// changed\n');
      const [row] = await look();
      expect(row).toMatchObject({
        status: 'fail',
        details: ['node_modules/@acme/notes/serve.js'],
        remedy: { do: 'check', fix: true },
        fix: { id: `install-again:${packagesIn(folder)[0]}` },
      });
      expect(await hub.doctor.fix({ fixes: [row?.fix?.id ?? ''] })).toMatchObject([{ done: true }]);
      expect(readFileSync(program, 'utf8')).toBe(SERVER_FILE);
      expect(await look()).toMatchObject([{ status: 'pass' }]);
      expect(await hub.doctor.fix({ fixes: ['install-again:../..'] })).toMatchObject([{ done: false }]);
    });
  },
  TEST_MS,
);

verifies(
  ['C18'],
  'a server that has run by npx before starts as it did, and by its own program the next time',
  async () => {
    const registry = await packageRegistry();
    const { PATH, calls } = standInNpx();
    await withHub(
      { env: { ...registry.env, PATH }, limits: { packageInstallRetryMs: 1 } },
      async ({ hub, folder }) => {
        await hub.servers.add({ definition: serverOf('notes', ['-y', '@acme/notes@1.2.3']) });
        expect(calls()).toHaveLength(1);
        expect((await hub.servers.get({ id: 'notes' })).problems[0]).toMatch(/Started with npx/);
        registry.publish(ACME, FILES);
        await hub.servers.restart({ id: 'notes' });
        expect(calls()).toHaveLength(2);
        await waitFor(() => packagesIn(folder).some((name) => name.startsWith('npm-')), 30_000);
        await hub.servers.restart({ id: 'notes' });
        expect(calls()).toHaveLength(2);
        expect((await started(hub)).argv[0]).toContain('/packages/');
      },
    );
  },
  TEST_MS,
);
