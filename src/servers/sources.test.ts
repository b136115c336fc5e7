import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { ConfigFileCache } from './config-file.ts';
import { configPaths, type ConfigPath } from './config-paths.ts';
import { defineServer, type ServerDefinition } from './definition.ts';
import { resolveServers, type ResolvedServer, type ResolvedServers, type ResolveOptions } from './sources.ts';
import type { FileTrust } from './store.ts';

let folder: string;
let cache: ConfigFileCache;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-sources-'));
  await mkdir(join(folder, 'project'));
  await mkdir(join(folder, 'config'));
  cache = new ConfigFileCache(systemClock);
});
afterEach(() => rm(folder, { recursive: true }));

const paths = (envPath?: string): readonly ConfigPath[] =>
  configPaths({ envPath, cwd: join(folder, 'project'), config: join(folder, 'config') });

async function resolveAll(
  given: Partial<ResolveOptions> & { readonly envPath?: string } = {},
): Promise<ResolvedServers> {
  const files = [];
  for (const { path, scope } of paths(given.envPath)) files.push({ scope, file: await cache.read(path) });
  return resolveServers({ stored: [], overrides: [], trust: [], files, ...given });
}

const write = (place: string, servers: object): Promise<void> =>
  writeFile(join(folder, place), JSON.stringify({ mcpServers: servers }));

const stored = (id: string, command = 'db'): ServerDefinition =>
  defineServer({ id, endpoint: { kind: 'stdio', command, args: [], env: {} } });

function server({ servers }: ResolvedServers, id: string): ResolvedServer {
  const found = servers.find((candidate) => candidate.definition.id === id);
  if (!found) throw new Error(`no server ${id}`);
  return found;
}

const commandOf = ({ definition }: ResolvedServer): string =>
  definition.endpoint.kind === 'stdio' ? definition.endpoint.command : definition.endpoint.url;

/** What the user says yes to: exactly what is waiting now. */
function agree(resolved: ResolvedServer, trustedAt = 1): FileTrust {
  const { untrusted, definition } = resolved.waiting ?? resolved;
  if (!untrusted) throw new Error('nothing waits for trust');
  return {
    file: untrusted.file,
    server: definition.id,
    fingerprint: untrusted.fingerprint,
    trustedAt,
    definition,
  };
}

verifies(
  ['S2'],
  'the env path wins over the project, the project over the user, the user over the database',
  async () => {
    await write('elsewhere.json', { a: { command: 'env' } });
    await write('project/mcp.json', { a: { command: 'project' }, b: { command: 'project' } });
    await write('config/mcp.json', {
      a: { command: 'user' },
      b: { command: 'user' },
      c: { command: 'user' },
    });
    const database = ['a', 'b', 'c', 'd'].map((id) => stored(id));

    const first = await resolveAll({ envPath: '../elsewhere.json', stored: database });
    const trust = [agree(server(first, 'b'))];
    const resolved = await resolveAll({ envPath: '../elsewhere.json', stored: database, trust });
    expect(resolved.servers.map((s) => [s.definition.id, commandOf(s)])).toEqual([
      ['a', 'env'],
      ['b', 'project'],
      ['c', 'user'],
      ['d', 'db'],
    ]);
    expect(server(resolved, 'a').shadowed.map((source) => source.scope ?? source.kind)).toEqual([
      'project',
      'user',
      'manual',
    ]);
    expect(server(resolved, 'a').definition.source).toEqual({
      kind: 'file',
      file: join(folder, 'elsewhere.json'),
      scope: 'env',
      author: 'user',
    });
    expect(paths(join(folder, 'x.json'))[0]).toEqual({ path: join(folder, 'x.json'), scope: 'env' });
  },
);

verifies(['S2'], 'with no file at all, the database alone works', async () => {
  const resolved = await resolveAll({ stored: [stored('a')] });
  expect(resolved.servers).toEqual([{ definition: stored('a'), shadowed: [] }]);
  expect(resolved.files.map((file) => [file.scope, file.outcome])).toEqual([
    ['project', 'missing'],
    ['user', 'missing'],
  ]);
  expect(resolved.errors).toEqual({});
});

test('a file that the user named or keeps in their own folder is theirs, even where it is also the project’s', () => {
  const both = configPaths({ envPath: 'mcp.json', cwd: '/p', config: '/c' });
  expect(both.map(({ path, scope }) => `${scope} ${path}`)).toEqual(['env /p/mcp.json', 'user /c/mcp.json']);
  expect(configPaths({ cwd: '/c', config: '/c' })).toEqual([{ path: '/c/mcp.json', scope: 'user' }]);
});

verifies(['S4'], 'an entry of a project’s file is off until it is trusted, and shown in full', async () => {
  await write('project/mcp.json', {
    evil: { command: 'sh', args: ['-c', 'x'], env: { K: '${AWS_SECRET}' } },
  });
  const resolved = server(await resolveAll(), 'evil');
  expect(resolved.untrusted).toMatchObject({
    file: join(folder, 'project/mcp.json'),
    changed: false,
    diff: [
      { field: 'command', after: 'sh' },
      { field: 'args[0]', after: '-c' },
      { field: 'args[1]', after: 'x' },
      { field: 'env.K', after: '${AWS_SECRET}' },
    ],
  });
  expect(server(await resolveAll({ trust: [agree(resolved)] }), 'evil')).not.toHaveProperty('untrusted');
  const enabled = await resolveAll({ overrides: [{ server: 'evil', enabled: true }] });
  expect(server(enabled, 'evil').untrusted).toBeDefined();
});

verifies(
  ['S4', 'attack:C1'],
  'one changed byte in a trusted entry switches it off again and shows the change',
  async () => {
    const entry = {
      command: 'node',
      args: ['s.js'],
      env: { A: 'b' },
      cwd: '/x',
      readOnly: true,
      tools: ['get'],
    };
    const remote = { url: 'https://a.test/mcp', headers: { X: '1' } };
    await write('project/mcp.json', { a: entry, r: remote });
    const first = await resolveAll();
    const trust = [agree(server(first, 'a')), agree(server(first, 'r'))];
    const changes: readonly [string, object][] = [
      ['command', { ...entry, command: 'node1' }],
      ['args[0]', { ...entry, args: ['s.jS'] }],
      ['args[1]', { ...entry, args: ['s.js', ''] }],
      ['env.A', { ...entry, env: { A: 'c' } }],
      ['env.B', { ...entry, env: { A: 'b', B: '' } }],
      ['cwd', { ...entry, cwd: '/y' }],
      ['readOnly', { ...entry, readOnly: false }],
      ['tools.allow[0]', { ...entry, tools: ['*'] }],
      ['url', { ...remote, url: 'https://a.test/mcP' }],
      ['headers.X', { ...remote, headers: { X: '2' } }],
    ];
    for (const [field, changed] of changes) {
      const id = 'url' in changed ? 'r' : 'a';
      await write('project/mcp.json', { a: entry, r: remote, [id]: changed });
      const resolved = await resolveAll({ trust });
      expect(server(resolved, id).untrusted, field).toMatchObject({ changed: true, diff: [{ field }] });
      expect(server(resolved, id === 'a' ? 'r' : 'a').untrusted).toBeUndefined();
    }
    await write('project/mcp.json', { r: remote, a: { ...entry, name: 'Other name' } });
    expect((await resolveAll({ trust })).servers.every((s) => !s.untrusted)).toBe(true);
  },
);

test('a project that is copied elsewhere does not bring its trust along', async () => {
  await write('project/mcp.json', { a: { command: 'x' } });
  const trust = [agree(server(await resolveAll(), 'a'))];
  await mkdir(join(folder, 'copy'));
  await write('copy/mcp.json', { a: { command: 'x' } });
  const path = join(folder, 'copy/mcp.json');
  const resolved = await resolveAll({ trust, files: [{ scope: 'project', file: await cache.read(path) }] });
  expect(server(resolved, 'a').untrusted).toMatchObject({ file: path, changed: false });
});

test('a project’s file cannot take over or switch off a server of the user by its name', async () => {
  await write('config/mcp.json', { github: { command: 'mine' } });
  for (const entry of [{ command: 'theirs' }, { command: 'theirs', disabled: true }, { command: 1 }]) {
    await write('project/mcp.json', { github: entry });
    const github = server(await resolveAll(), 'github');
    expect(commandOf(github)).toBe('mine');
    expect(github.untrusted).toBeUndefined();
    expect(github.definition.enabled).toBe(true);
  }
  await write('project/mcp.json', { github: { command: 'theirs' } });
  const waiting = server(await resolveAll(), 'github');
  expect(waiting.waiting?.untrusted.diff).toEqual([{ field: 'command', after: 'theirs' }]);
  const trust = [agree(waiting)];
  expect(commandOf(server(await resolveAll({ trust }), 'github'))).toBe('theirs');

  // Once trusted, the id belongs to the project: calls meant for it do not go elsewhere.
  await write('project/mcp.json', { github: { command: 'changed' } });
  expect(server(await resolveAll({ trust }), 'github')).toMatchObject({
    definition: { endpoint: { command: 'changed' } },
    untrusted: { changed: true, diff: [{ field: 'command', before: 'theirs', after: 'changed' }] },
  });
  await write('project/mcp.json', { github: { command: 1 } });
  const broken = await resolveAll({ trust });
  expect(broken.servers).toEqual([]);
  expect(broken.errors['github']?.code).toBe('bad_config');
});

verifies(['S4'], 'an entry that is wrong is an error of that server only', async () => {
  await write('config/mcp.json', {
    good: { command: 'x' },
    bad: { args: [] },
    '../Ü': { command: 'x' },
    odd: { command: 'x', foo: 1 },
  });
  const resolved = await resolveAll({ stored: [stored('bad')] });
  expect(resolved.servers.map((s) => s.definition.id)).toEqual(['good', 'odd']);
  expect(Object.keys(resolved.errors)).toEqual(['bad', '../Ü']);
  expect(resolved.errors['bad']).toMatchObject({ code: 'bad_config', server: 'bad', details: { line: 1 } });
  expect(resolved.files[1]).toMatchObject({
    outcome: 'ok',
    servers: ['good', 'bad', '../Ü', 'odd'],
    warnings: ['“odd”: “foo” is not known; kept, without effect.'],
  });
});

verifies(
  ['S4', 'S6'],
  'a typing mistake in a file stops no server, and is reported with line and column',
  async () => {
    await write('config/mcp.json', { a: { command: 'x' } });
    const before = await resolveAll();
    await writeFile(join(folder, 'config/mcp.json'), '{\n "mcpServers": {"a": }\n}');
    const after = await resolveAll();
    expect(after.servers).toEqual(before.servers);
    expect(after.files[1]).toMatchObject({
      outcome: 'malformed',
      line: 2,
      column: 22,
      reason: 'a value is expected here',
    });
  },
);

verifies(
  ['S7'],
  'a server of a file is disabled, enabled and made read-only without touching the file',
  async () => {
    await write('config/mcp.json', {
      a: { command: 'x' },
      b: { command: 'x', disabled: true, readOnly: true },
    });
    const overrides = [
      { server: 'a', enabled: false, readOnly: true },
      { server: 'b', enabled: true },
    ];
    const resolved = await resolveAll({ overrides });
    expect(server(resolved, 'a').definition).toMatchObject({ enabled: false, readOnly: true });
    expect(server(resolved, 'b').definition).toMatchObject({ enabled: true, readOnly: true });
    expect(server(await resolveAll(), 'a').definition).toMatchObject({ enabled: true, readOnly: false });
  },
);

verifies(
  ['attack:C10'],
  'an entry called __proto__ is an error like any other, and nothing is polluted',
  async () => {
    await writeFile(
      join(folder, 'config/mcp.json'),
      '{"mcpServers": {"__proto__": {"command": "x"}, "a": {"command": "x"}}}',
    );
    const resolved = await resolveAll();
    expect(resolved.servers.map((s) => s.definition.id)).toEqual(['a']);
    expect(Object.keys(resolved.errors)).toEqual(['__proto__']);
    expect('code' in {}).toBe(false);
  },
);
