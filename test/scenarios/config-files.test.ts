import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { stdioFixture, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { local, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const entry = (behavior: string, more: object = {}): object => ({ ...stdioFixture(behavior), ...more });

function writeConfig(file: string, servers: Readonly<Record<string, object>>): void {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }, null, 2));
}

verifies(
  ['S4', 'S7', 'attack:C1'],
  'an entry of a project file runs nothing until it is trusted, and not after it changed',
  async () => {
    await withHub({}, async ({ hub, folder, spawns }) => {
      const file = join(folder, 'mcp.json');
      writeConfig(file, { tool: entry('legacy') });
      await hub.servers.reload();
      expect(await hub.servers.get({ id: 'tool' })).toMatchObject({
        enabled: false,
        state: { kind: 'disabled', next: 'plug trust tool' },
        untrusted: { file, changed: false },
      });
      await expect(hub.tools.call({ tool: 'tool/echo', args: { message: 'x' } })).rejects.toMatchObject({
        code: 'untrusted',
        owner: 'you',
        next: 'plug trust tool',
      });
      expect(spawns()).toBe(0);

      // What is trusted is what was shown: an entry that changed meanwhile is not.
      await expect(hub.servers.trust({ id: 'tool', fingerprint: 'of an older text' })).rejects.toMatchObject({
        code: 'untrusted',
      });
      await hub.servers.trust({
        id: 'tool',
        fingerprint: (await hub.servers.get({ id: 'tool' })).untrusted?.fingerprint ?? '',
      });
      expect(await textOf(hub, 'tool/echo', { message: 'hi' })).toBe('hi');
      expect(spawns()).toBe(1);

      writeConfig(file, { tool: entry('legacy', { env: { NEW: 'x' } }) });
      await waitForState(hub, 'tool', 'disabled');
      const { untrusted } = await hub.servers.get({ id: 'tool' });
      expect(untrusted).toMatchObject({ changed: true });
      expect(untrusted?.diff).toEqual([{ field: 'env.NEW', after: 'x' }]);
      await expect(hub.servers.start({ id: 'tool' })).rejects.toMatchObject({ code: 'untrusted' });
      expect(spawns()).toBe(1);
    });
  },
  20_000,
);

verifies(
  ['S4', 'C11'],
  'a change of the user’s file is applied as a difference: untouched servers keep running',
  async () => {
    const folder = temporaryFolder();
    const project = temporaryFolder();
    await withHub({ folder: project, config: folder }, async ({ hub }) => {
      const file = join(folder, 'mcp.json');
      writeConfig(file, { stays: entry('legacy'), goes: entry('modern') });
      await hub.servers.reload();
      const pid = await textOf(hub, 'stays/pid');
      await textOf(hub, 'goes/pid');

      writeConfig(file, { stays: entry('legacy'), comes: entry('dual'), broken: { args: [] } });
      await waitFor(async () => (await hub.servers.list()).servers.some(({ id }) => id === 'comes'));
      expect(await textOf(hub, 'stays/pid')).toBe(pid);
      expect(await textOf(hub, 'comes/echo', { message: 'new' })).toBe('new');
      await expect(hub.servers.get({ id: 'goes' })).rejects.toMatchObject({ code: 'not_found' });
      // The broken neighbour is named and harms nobody.
      await expect(hub.servers.get({ id: 'broken' })).rejects.toMatchObject({
        code: 'bad_config',
        owner: 'you',
      });
      const broken = (await hub.servers.list()).servers.find(({ id }) => id === 'broken');
      expect(broken?.state).toMatchObject({ kind: 'failed', cause: 'config' });
    });
  },
  20_000,
);

verifies(
  ['S5', 'S6'],
  'a file of the user’s is never rewritten, whatever is done to its servers',
  async () => {
    const folder = temporaryFolder();
    await withHub({ config: folder }, async ({ hub }) => {
      const file = join(folder, 'mcp.json');
      writeFileSync(file, `{ // mine\n  "mcpServers": { "own": ${JSON.stringify(entry('legacy'))}, },\n}\n`);
      const before = { text: readFileSync(file, 'utf8'), mtime: statSync(file).mtimeMs };
      await hub.servers.reload();
      await hub.servers.disable({ id: 'own' });
      expect((await hub.servers.get({ id: 'own' })).enabled).toBe(false);
      await hub.servers.enable({ id: 'own' });
      await hub.servers.setReadOnly({ id: 'own', readOnly: true });
      await expect(hub.servers.remove({ id: 'own' })).rejects.toMatchObject({
        code: 'usage',
        next: 'plug disable own',
      });
      await expect(
        hub.servers.add({ definition: local('own', 'legacy'), replace: true }),
      ).rejects.toMatchObject({
        code: 'already_exists',
      });
      expect({ text: readFileSync(file, 'utf8'), mtime: statSync(file).mtimeMs }).toEqual(before);
    });
  },
);

verifies(['S6'], 'a malformed file names line and column, and what ran goes on running', async () => {
  const folder = temporaryFolder();
  await withHub({ config: folder }, async ({ hub }) => {
    const file = join(folder, 'mcp.json');
    writeConfig(file, { own: entry('legacy') });
    await hub.servers.reload();
    const pid = await textOf(hub, 'own/pid');
    writeFileSync(file, '{\n  "mcpServers": {\n    "own" {\n  }\n}');
    await hub.servers.reload();
    const report = (await hub.servers.list()).files.find(({ path }) => path === file);
    expect(report).toMatchObject({ outcome: 'malformed', line: 3 });
    expect(report?.column).toBeGreaterThan(1);
    expect(await textOf(hub, 'own/pid')).toBe(pid);
  });
});

verifies(['S2'], 'with no file at all everything works, and the strongest file wins', async () => {
  const config = temporaryFolder();
  const named = join(temporaryFolder(), 'named.json');
  await withHub({ config, env: { PLUG_MCP_CONFIG: named } }, async ({ hub }) => {
    expect((await hub.servers.list()).servers).toEqual([]);
    await hub.servers.add({ definition: local('same', 'legacy') });
    expect((await hub.servers.get({ id: 'same' })).source.kind).toBe('manual');
    writeConfig(join(config, 'mcp.json'), { same: entry('legacy', { name: 'from the user file' }) });
    await hub.servers.reload();
    expect((await hub.servers.get({ id: 'same' })).name).toBe('from the user file');
    writeConfig(named, { same: entry('legacy', { name: 'from the named file' }) });
    await hub.servers.reload();
    const winner = await hub.servers.get({ id: 'same' });
    expect(winner.name).toBe('from the named file');
    expect(winner.problems.join(' ')).toContain('which has lower priority');
  });
});

verifies(['S3'], 'an unresolved placeholder is named before anything is spawned', async () => {
  await withHub({}, async ({ hub, spawns }) => {
    const definition = local('needy', 'legacy');
    const { endpoint } = definition;
    if (endpoint.kind !== 'stdio') throw new Error('the fixture is local');
    const env = { TOKEN: '${PLUG_TEST_UNSET}', FINE: '${PLUG_TEST_UNSET:-default}' };
    const needy = { ...definition, endpoint: { ...endpoint, env } };
    await expect(hub.servers.add({ definition: needy })).rejects.toMatchObject({
      code: 'missing_input',
      owner: 'you',
      message: expect.stringContaining('${PLUG_TEST_UNSET} in env.TOKEN') as unknown,
    });
    expect((await hub.servers.list()).servers).toEqual([]);
    await hub.servers.add({ definition: needy, test: false });
    await waitForState(hub, 'needy', 'needs-input');
    expect(await stateOf(hub, 'needy')).toMatchObject({ kind: 'needs-input' });
    expect(spawns()).toBe(0);
  });
});

verifies(['S7'], 'a profile and read-only mode narrow what is offered and what can be called', async () => {
  await withHub({}, async ({ hub }) => {
    await hub.servers.add({ definition: local('a', 'legacy') });
    await hub.servers.add({ definition: local('b', 'modern') });
    await hub.profiles.save({ name: 'narrow', servers: ['a'], tools: { allow: ['a/echo', 'a/add'] } });
    const { tools } = await hub.tools.list({ profile: 'narrow' });
    expect(tools.map(({ ref }) => ref)).toEqual(['a/echo', 'a/add']);
    await expect(hub.tools.call({ tool: 'a/env', profile: 'narrow' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      hub.tools.call({ tool: 'b/echo', args: { message: 'x' }, profile: 'narrow' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    await hub.servers.setReadOnly({ id: 'a', readOnly: true });
    const readable = (await hub.tools.list({ server: 'a' })).tools;
    expect(readable.every(({ risk }) => risk === 'read')).toBe(true);
    await expect(hub.tools.call({ tool: 'a/echo', args: { message: 'x' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await hub.servers.setReadOnly({ id: 'a', readOnly: false });
    expect(await textOf(hub, 'a/echo', { message: 'again' })).toBe('again');
    await hub.profiles.remove({ name: 'narrow' });
    await expect(hub.tools.list({ profile: 'narrow' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

verifies(['S7'], 'two folders see each its own project file, and share what both know', async () => {
  await withHub({}, async ({ hub, folder }) => {
    const other = temporaryFolder();
    writeConfig(join(folder, 'mcp.json'), { here: entry('legacy') });
    writeConfig(join(other, 'mcp.json'), { there: entry('legacy') });
    await hub.servers.reload();
    const view = await hub.in(other);
    await hub.servers.add({ definition: local('both', 'modern') });
    const ids = async (face: typeof view): Promise<readonly string[]> =>
      (await face.servers.list()).servers.map(({ id }) => id);
    expect(await ids(hub)).toEqual(['both', 'here']);
    expect(await ids(view)).toEqual(['both', 'there']);
    expect(await textOf(view, 'both/pid')).toBe(await textOf(hub, 'both/pid'));
  });
});
