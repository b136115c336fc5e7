import { expect, onTestFinished } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ACME, OFFLINE, versionedPackage, type VersionedPackage } from './versioned-package.ts';

/** A hub whose npm knows one package, and whose npx starts the version that it is told to. */
async function world(
  latest: string,
): Promise<{ readonly hub: Hub; readonly index: VersionedPackage['index'] }> {
  const folder = temporaryFolder();
  const { bin, index } = versionedPackage(folder, latest);
  const hub = await openHub({
    paths: { config: folder, data: folder, state: folder },
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, PLUG_NO_KEYRING: '1', SHELL: '/bin/false' },
    version: '1.0.0',
  });
  onTestFinished(() => hub.close());
  await hub.servers.add({ definition: ACME });
  return { hub, index };
}

const runs = async (hub: Hub): Promise<string> => (await hub.servers.get({ id: 'acme' })).target;

verifies(
  ['S21'],
  'a server tells which version runs, since when and which is newer; an update shows tools that come, go and change',
  async () => {
    const { hub } = await world('2.0.0');
    await hub.servers.trust({ id: 'acme' });
    // Looked up in the background, once the server has run.
    await waitFor(async () => (await hub.servers.get({ id: 'acme' })).version?.latest !== undefined);
    expect((await hub.servers.get({ id: 'acme' })).version).toMatchObject({
      reported: '1.0.0',
      package: { registry: 'npm', name: '@acme/tool', version: '1.0.0' },
      since: expect.any(Number) as unknown,
      latest: '2.0.0',
    });
    expect(await hub.updates.list()).toMatchObject([
      { server: 'acme', state: 'newer', next: 'plug update acme' },
    ]);

    const plan = await hub.updates.plan({ server: 'acme' });
    expect(plan).toMatchObject({
      from: '1.0.0',
      to: '2.0.0',
      compared: true,
      added: ['fresh'],
      removed: ['old'],
    });
    expect(plan.changed).toMatchObject([
      { tool: 'look', fields: [{ field: 'inputSchema.properties.at.type', after: 'string' }] },
    ]);
    expect(await runs(hub)).toContain('@acme/tool@1.0.0');
    expect((await hub.changes.list()).map(({ kind }) => kind)).toEqual(['add']);

    await hub.updates.apply({ server: 'acme', update: plan.update });
    expect(await runs(hub)).toContain('@acme/tool@2.0.0');
    expect((await hub.servers.definition({ id: 'acme' })).package).toEqual({
      registry: 'npm',
      name: '@acme/tool',
      version: '2.0.0',
      integrity: 'sha512-2.0.0',
    });
    // The changed tool was agreed to: it is offered, and trust went along.
    await waitFor(async () => (await hub.servers.get({ id: 'acme' })).state.kind === 'ready');
    expect(await hub.servers.get({ id: 'acme' })).toMatchObject({ trust: 'kept', toolsOffered: 2 });
    expect(await hub.updates.list({ check: true })).toMatchObject([{ state: 'newest' }]);
    await expect(hub.updates.apply({ server: 'acme', update: plan.update })).rejects.toMatchObject({
      code: 'not_found',
    });

    expect(await hub.changes.undo()).toMatchObject({ done: true, change: { kind: 'update' } });
    expect(await runs(hub)).toContain('@acme/tool@1.0.0');
    expect(await hub.servers.restart({ id: 'acme' })).toMatchObject({
      trust: 'kept',
      toolsOffered: 2,
      version: { package: { version: '1.0.0' } },
    });
  },
  60_000,
);

verifies(
  ['S21'],
  'a version that does not start changes nothing, and nothing of the attempt is left',
  async () => {
    const { hub } = await world('3.0.0');
    await expect(hub.updates.plan({ server: 'acme' })).rejects.toMatchObject({
      server: 'acme',
      code: expect.not.stringMatching(/^internal$/) as unknown,
    });
    expect(await runs(hub)).toContain('@acme/tool@1.0.0');
    expect((await hub.changes.list()).map(({ kind }) => kind)).toEqual(['add']);
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['acme']);
    expect((await hub.tools.list()).tools.map(({ name }) => name)).toEqual(['look', 'old']);
  },
  60_000,
);

verifies(
  ['S21'],
  'offline nothing is claimed and no list fails; a version that does not exist is told',
  async () => {
    const { hub, index } = await world('2.0.0');
    await waitFor(async () => (await hub.servers.get({ id: 'acme' })).version?.latest !== undefined);
    index(OFFLINE);
    expect(await hub.updates.list({ check: true })).toMatchObject([
      { state: 'newer', latest: '2.0.0', why: expect.stringContaining('@acme/tool') as unknown },
    ]);
    await expect(hub.updates.plan({ server: 'acme' })).rejects.toMatchObject({ code: 'unreachable' });
    expect((await hub.servers.list()).servers).toHaveLength(1);
    index("echo ''");
    await expect(hub.updates.plan({ server: 'acme', version: '9.9.9' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await runs(hub)).toContain('@acme/tool@1.0.0');
  },
  60_000,
);

verifies(
  ['S21'],
  'a server that changed while its update was looked at is not updated',
  async () => {
    const { hub } = await world('2.0.0');
    const { update } = await hub.updates.plan({ server: 'acme' });
    await hub.servers.add({
      definition: defineServer({
        id: 'acme',
        endpoint: { kind: 'stdio', command: 'npx', args: ['-y', '@acme/tool@1.0.0', 'x'], env: {} },
      }),
      replace: true,
      test: false,
    });
    await expect(hub.updates.apply({ server: 'acme', update })).rejects.toMatchObject({ code: 'denied' });
    expect(await runs(hub)).toContain('@acme/tool@1.0.0');
  },
  60_000,
);
