import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyMachine, write } from '../../../test/clients/prepared-home.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { defineServer } from '../definition.ts';
import { resolveEndpoint } from '../resolve-endpoint.ts';
import type { Machine } from './client.ts';
import { FollowedFiles } from './follow.ts';
import { importServers, type KeyStore } from './import.ts';
import { readClients } from './scan.ts';

/** The port of the vault, with a look inside for the test. */
class OpenVault implements KeyStore {
  readonly values = new Map<string, string>();
  list = (): Promise<readonly string[]> => Promise.resolve([...this.values.keys()]);
  set(_owner: string, name: string, value: Secret): Promise<void> {
    this.values.set(name, value.reveal());
    return Promise.resolve();
  }
}

const KEY = 'correct-horse-battery';

function twoClients(): Machine {
  const machine = emptyMachine();
  write(join(machine.home, '.cursor', 'mcp.json'), {
    mcpServers: {
      github: { command: 'npx', args: ['-y', 'gh-mcp'], env: { GITHUB_TOKEN: KEY } },
      web: { url: 'https://web.example/mcp' },
    },
  });
  write(join(machine.home, '.gemini', 'settings.json'), {
    mcpServers: {
      github: { url: 'https://gh.example/mcp', headers: { Authorization: `Bearer ${KEY}2` } },
      web: { url: 'https://web.example/mcp' },
    },
  });
  return machine;
}

verifies(['S11'], 'of several that are the same, one that is on wins over those that are off', async () => {
  const machine = emptyMachine();
  const web = { url: 'https://web.example/mcp' };
  write(join(machine.home, '.codeium', 'windsurf', 'mcp_config.json'), {
    mcpServers: { web, both: { ...web, url: 'https://both.example/mcp', disabled: true } },
  });
  write(join(machine.home, '.cursor', 'mcp.json'), { mcpServers: { web: { ...web, disabled: true } } });
  write(join(machine.home, '.lmstudio', 'mcp.json'), {
    mcpServers: { both: { url: 'https://both.example/mcp', disabled: true } },
  });
  const scan = await readClients(machine);
  const plan = await importServers(scan, 'all', { vault: new OpenVault(), owner: 'local', existing: [] });
  expect(plan.servers.map(({ ref, definition }) => [ref, definition.enabled])).toEqual([
    ['windsurf:user:web', true],
    ['windsurf:user:both', false],
  ]);
  expect(plan.skipped.map(({ ref }) => ref)).toEqual(['cursor:user:web', 'lm-studio:user:both']);
});

verifies(
  ['S11'],
  'importing all takes each server once, moves keys into the vault and renames what clashes',
  async () => {
    const scan = await readClients(twoClients());
    const vault = new OpenVault();
    const options = { vault, owner: 'local', existing: [] };
    const plan = await importServers(scan, 'all', options);
    expect(plan.servers.map(({ definition }) => definition.id)).toEqual([
      'github',
      'web',
      'github-gemini-cli',
    ]);
    expect(plan.servers[2]).toMatchObject({
      renamedFrom: 'github',
      keys: [{ name: 'github-gemini-cli/Authorization', where: 'headers.Authorization' }],
    });
    expect(plan.skipped).toEqual([
      { ref: 'gemini-cli:user:web', why: 'It is the same server as cursor:user:web.' },
    ]);
    expect(vault.values).toEqual(
      new Map([
        ['github/GITHUB_TOKEN', KEY],
        ['github-gemini-cli/Authorization', `${KEY}2`],
      ]),
    );
    expect(JSON.stringify(plan)).not.toContain(KEY);

    const [github] = plan.servers;
    if (!github) throw new Error('no server');
    const read = await resolveEndpoint(github.definition, {
      env: () => undefined,
      input: () => undefined,
      file: () => undefined,
      vault: (name) => vault.values.get(name),
      command: () => undefined,
    });
    expect(read).toMatchObject({ kind: 'ok', endpoint: { env: { GITHUB_TOKEN: KEY } } });

    const again = await importServers(scan, 'all', {
      ...options,
      existing: plan.servers.map(({ definition }) => definition),
    });
    expect(again.servers.map(({ ref }) => ref)).toEqual([]);
    expect(again.skipped).toHaveLength(4);
    expect(vault.values.size).toBe(2);
  },
);

verifies(
  ['S11'],
  'a dry run says the same and touches nothing; a pick takes only what was picked',
  async () => {
    const machine = twoClients();
    const file = join(machine.home, '.cursor', 'mcp.json');
    const before = readFileSync(file, 'utf8');
    const scan = await readClients(machine);
    const vault = new OpenVault();
    const options = { vault, owner: 'local', existing: [] };
    const dry = await importServers(scan, 'all', { ...options, dryRun: true });
    expect(vault.values.size).toBe(0);
    expect(await importServers(scan, 'all', options)).toEqual(dry);
    const picked = await importServers(scan, ['gemini-cli:user:github'], {
      ...options,
      vault: new OpenVault(),
    });
    expect(picked.servers.map(({ definition }) => definition.id)).toEqual(['github']);
    await expect(importServers(scan, ['nothing'], options)).rejects.toMatchObject({
      code: 'not_found',
      next: 'plug import --dry-run',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
);

test('a name that the vault holds already is never overwritten, and an id that is taken never reused', async () => {
  const scan = await readClients(twoClients());
  const vault = new OpenVault();
  vault.values.set('github-cursor/GITHUB_TOKEN', 'old');
  const existing = [
    defineServer({ id: 'github', endpoint: { kind: 'stdio', command: 'mine', args: [], env: {} } }),
  ];
  const plan = await importServers(scan, ['cursor:user:github'], { vault, owner: 'local', existing });
  expect(plan.servers[0]?.definition.endpoint).toMatchObject({
    env: { GITHUB_TOKEN: '${vault:github-cursor/GITHUB_TOKEN-2}' },
  });
  expect(vault.values.get('github-cursor/GITHUB_TOKEN')).toBe('old');
});

verifies(
  ['S11'],
  'a followed server is read from the client’s file when it starts, and its keys stay there',
  async () => {
    const machine = twoClients();
    const file = join(machine.home, '.cursor', 'mcp.json');
    const vault = new OpenVault();
    const scan = await readClients(machine);
    const plan = await importServers(scan, ['cursor:user:github'], {
      vault,
      owner: 'local',
      existing: [],
      follow: true,
    });
    const [planned] = plan.servers;
    if (!planned) throw new Error('no server');
    const { definition } = planned;
    expect(definition.follow).toBeDefined();
    expect(vault.values.size).toBe(0);
    expect(JSON.stringify(definition)).not.toContain(KEY);

    const followed = new FollowedFiles({ clock: systemClock, home: machine.home });
    expect((await followed.resolve(definition)).endpoint).toMatchObject({ env: { GITHUB_TOKEN: KEY } });
    write(file, {
      mcpServers: {
        github: { command: 'npx', args: ['gh-mcp@2'], env: { GITHUB_TOKEN: 'new' }, disabled: true },
      },
    });
    expect(await followed.resolve(definition)).toMatchObject({
      enabled: false,
      endpoint: { args: ['gh-mcp@2'], env: { GITHUB_TOKEN: 'new' } },
    });
    write(file, '{ "mcpServers": ');
    expect((await followed.resolve(definition)).endpoint).toMatchObject({ args: ['gh-mcp@2'] });
    write(file, { mcpServers: {} });
    await expect(followed.resolve(definition)).rejects.toMatchObject({
      code: 'bad_config',
      server: 'github',
      owner: 'you',
    });
    rmSync(file);
    await expect(followed.resolve(definition)).rejects.toThrow('which is gone');
  },
);

verifies(['S11'], 'a followed file is read again only when it was written', async () => {
  const machine = twoClients();
  const file = join(machine.home, '.cursor', 'mcp.json');
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(file, hourAgo, hourAgo);
  const scan = await readClients(machine);
  const plan = await importServers(scan, ['cursor:user:web'], {
    vault: new OpenVault(),
    owner: 'local',
    existing: [],
    follow: true,
  });
  const definition =
    plan.servers[0]?.definition ??
    defineServer({ id: 'x', endpoint: { kind: 'http', url: '', headers: {} } });
  const followed = new FollowedFiles({ clock: systemClock, home: machine.home });
  const first = await followed.resolve(definition);
  // The same bytes, written long ago: nothing says that there is anything to read.
  expect((await followed.resolve(definition)).endpoint).toEqual(first.endpoint);
  write(file, { mcpServers: { web: { url: 'https://other.example/mcp' } } });
  expect((await followed.resolve(definition)).endpoint).toMatchObject({ url: 'https://other.example/mcp' });
});

verifies(
  ['S11'],
  'a followed entry of a project’s file does not start once others have changed it',
  async () => {
    const machine = emptyMachine();
    const file = write(join(machine.cwd, '.cursor', 'mcp.json'), {
      mcpServers: { a: { command: 'a', args: ['${workspaceFolder}/x'] } },
    });
    const scan = await readClients(machine);
    const plan = await importServers(scan, 'all', {
      vault: new OpenVault(),
      owner: 'local',
      existing: [],
      follow: true,
    });
    const definition =
      plan.servers[0]?.definition ??
      defineServer({ id: 'x', endpoint: { kind: 'http', url: '', headers: {} } });
    const followed = new FollowedFiles({ clock: systemClock, home: machine.home });
    expect((await followed.resolve(definition)).endpoint).toMatchObject({ args: [`${machine.cwd}/x`] });
    write(file, { mcpServers: { a: { command: 'sh', args: ['-c', 'evil'] } } });
    const error: unknown = await followed.resolve(definition).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PlugError);
    expect(error).toMatchObject({ code: 'untrusted', server: 'a' });
  },
);

test('a followed entry of a list is found by its name, wherever it has moved to', async () => {
  const machine = emptyMachine();
  const file = join(machine.home, '.continue', 'config.yaml');
  write(file, 'mcpServers:\n  - name: One\n    command: one\n');
  const scan = await readClients(machine);
  const plan = await importServers(scan, 'all', {
    vault: new OpenVault(),
    owner: 'local',
    existing: [],
    follow: true,
  });
  const definition =
    plan.servers[0]?.definition ??
    defineServer({ id: 'x', endpoint: { kind: 'http', url: '', headers: {} } });
  write(file, 'mcpServers:\n  - name: Zero\n    command: zero\n  - name: One\n    command: uno\n');
  const followed = new FollowedFiles({ clock: systemClock, home: machine.home });
  expect((await followed.resolve(definition)).endpoint).toMatchObject({ command: 'uno' });
});
