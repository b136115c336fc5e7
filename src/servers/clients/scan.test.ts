import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { emptyMachine, prepareHome, write } from '../../../test/clients/prepared-home.ts';
import { verifies } from '../../../test/requirements.ts';
import { clients } from './clients.ts';
import { findClients } from './find.ts';
import { readClients } from './scan.ts';

for (const platform of ['linux', 'darwin', 'win32'] as const) {
  verifies(['S11'], `on ${platform}, every server of every client and scope is found`, async () => {
    const { machine, expected } = prepareHome(platform);
    const scan = await readClients(machine);
    const found = scan.found.map(({ client, scope, definition }) => ({ client, scope, id: definition.id }));
    const sorted = (list: readonly { readonly id: string }[]): unknown =>
      list.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(sorted(found)).toEqual(sorted(expected));
    expect(scan.problems).toEqual([]);
    expect(scan.nearMisses).toEqual([]);
    expect(scan.duplicates).toEqual([]);
    expect(new Set(scan.files.map(({ client }) => client))).toEqual(new Set(clients.map(({ name }) => name)));
    for (const { definition, file, line, client, scope } of scan.found) {
      const author = scope === 'project' || scope === 'devcontainer' ? {} : { author: 'user' };
      expect(definition.source).toEqual({ ...author, kind: 'import', name: client, file });
      expect(line).toBeGreaterThan(0);
    }
  });
}

verifies(['S11'], 'one client can be asked alone, and an empty home holds nothing', async () => {
  const { machine } = prepareHome('linux');
  const scan = await readClients({ ...machine, clients: ['cursor'] });
  expect(scan.found.map(({ ref }) => ref)).toEqual(['cursor:user:cur', 'cursor:project:cur2']);
  const empty = await readClients(emptyMachine());
  expect(empty).toEqual({
    files: [],
    found: [],
    duplicates: [],
    secrets: [],
    nearMisses: [],
    problems: [],
    leftOut: [],
  });
});

test('folders named by variables are used', async () => {
  const machine = emptyMachine();
  const { home } = machine;
  const env = {
    CLAUDE_CONFIG_DIR: join(home, 'c'),
    COPILOT_HOME: join(home, 'p'),
    CODEX_HOME: join(home, 'x'),
    XDG_CONFIG_HOME: join(home, 'xdg'),
  };
  write(join(home, 'c', '.claude.json'), { mcpServers: {} });
  write(join(home, 'p', 'mcp-config.json'), { mcpServers: {} });
  write(join(home, 'x', 'config.toml'), '');
  write(join(home, 'xdg', 'zed', 'settings.json'), '{}');
  const files = await findClients({ ...machine, env });
  expect(new Set(files.map(({ client }) => client))).toEqual(
    new Set(['claude-code', 'copilot-cli', 'codex', 'zed']),
  );
});

verifies(
  ['S11'],
  'ten servers with one bad entry are nine, and the tenth is named with its line',
  async () => {
    const machine = emptyMachine();
    const names = Array.from({ length: 9 }, (_, index) => `s${index}`);
    const servers = names.map((name) => `    "${name}": { "command": "${name}" }`);
    const file = write(
      join(machine.home, '.cursor', 'mcp.json'),
      `{\n  "mcpServers": {\n${[...servers, '    "bad": { "command": 7 }'].join(',\n')}\n  }\n}`,
    );
    const { found, problems } = await readClients(machine);
    expect(found.map(({ definition }) => definition.id)).toEqual(names);
    expect(found.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(problems).toMatchObject([{ client: 'cursor', file, server: 'bad', line: 12, column: 5 }]);
    expect(problems[0]?.message).toContain('“command” must be a text');
  },
);

verifies(
  ['S11'],
  'a broken file is named with line and column, in each syntax, and harms no other',
  async () => {
    const machine = emptyMachine();
    const { home } = machine;
    write(join(home, '.cursor', 'mcp.json'), '{\n  "mcpServers": {\n    "a" { }\n  }\n}');
    write(join(home, '.codex', 'config.toml'), 'model = "x"\n[mcp_servers.a\ncommand = 1\n');
    write(join(home, '.config', 'goose', 'config.yaml'), 'extensions:\n  a: [1\n  b: }\n');
    write(join(home, '.lmstudio', 'mcp.json'), { mcpServers: { ok: { command: 'x' } } });
    const { found, problems } = await readClients(machine);
    expect(found.map(({ definition }) => definition.id)).toEqual(['ok']);
    expect(problems).toMatchObject([
      { client: 'cursor', line: 3, column: 9 },
      { client: 'codex', line: 2 },
      { client: 'goose', line: 3 },
    ]);
  },
);

verifies(
  ['S11'],
  'the same server in three clients is one group, however each client writes it',
  async () => {
    const machine = emptyMachine();
    const { home } = machine;
    write(join(home, '.cursor', 'mcp.json'), {
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'files-mcp@latest'], env: { ROOT: '${env:ROOT}' } },
        web: { url: 'https://web.example/mcp/' },
        other: { command: 'npx', args: ['-y', 'files-mcp'], env: { ROOT: '/' } },
      },
    });
    write(join(home, '.claude.json'), {
      mcpServers: {
        fs: { type: 'stdio', command: 'cmd', args: ['/c', 'npx', 'files-mcp'], env: { ROOT: '${ROOT}' } },
      },
    });
    write(
      join(home, '.codex', 'config.toml'),
      '[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files-mcp"]\nenv_vars = ["ROOT"]\n\n[mcp_servers.web]\ncommand = "npx"\nargs = ["mcp-remote", "https://web.example/mcp"]\n',
    );
    const { duplicates } = await readClients(machine);
    expect(duplicates.map(({ refs }) => refs)).toEqual([
      ['claude-code:user:fs', 'cursor:user:files', 'codex:user:files'],
      ['cursor:user:web', 'codex:user:web'],
    ]);
  },
);

verifies(['S11'], 'readable keys are flagged by name and place, and no value is in the scan', async () => {
  const machine = emptyMachine();
  // Assembled here, so that no scanner takes this file for a leak.
  const keys = {
    plain: 'hunter2-hunter2',
    openai: `sk-proj-${'aB3dE5gH'.repeat(4)}`,
    github: ['ghp', 'aB3dE5gH'.repeat(5)].join('_'),
    slack: ['xoxb', '123456789012', 'aB3dE5gH'.repeat(2)].join('-'),
    aws: ['AKIA', 'Q2W3E4R5T6Y7U8I9'].join(''),
    random: 'q8Zt1LmX0vRr7YpKc3NbWd5H',
    query: 'abcdef123456',
    oauth: 'very-private-words',
    dsn: 'postgres://app:pass-word@db.example/x',
  };
  write(join(machine.home, '.cursor', 'mcp.json'), {
    mcpServers: {
      one: {
        command: 'npx',
        args: [
          'one',
          '--api-key',
          keys.plain,
          `--token=${keys.plain}`,
          keys.dsn,
          '--verbose',
          '/usr/share/key',
        ],
        env: {
          OPENAI: keys.openai,
          X: keys.github,
          SLACK: keys.slack,
          ID: keys.aws,
          SEED: keys.random,
          API_KEY: '${env:K}',
          KEY_FILE: '/etc/key',
          TOKEN_LIMIT: '4000',
          AUTH_MODE: 'none',
          API_TOKEN: '<your token>',
        },
      },
      two: {
        url: `https://two.example/mcp?api_key=${keys.query}&page=2`,
        headers: { Authorization: `Bearer ${keys.openai}`, 'X-Team': 'blue' },
        auth: { CLIENT_SECRET: keys.oauth },
      },
    },
  });
  const scan = await readClients(machine);
  expect(scan.secrets.map(({ where }) => where)).toEqual([
    'args[2]',
    'args[3]',
    'args[4]',
    'env.OPENAI',
    'env.X',
    'env.SLACK',
    'env.ID',
    'env.SEED',
    'url',
    'headers.Authorization',
    'extra.auth.CLIENT_SECRET',
  ]);
  expect(scan.secrets.map(({ name }) => name).slice(0, 4)).toEqual([
    'one/api-key',
    'one/token',
    'one/argument-4',
    'one/OPENAI',
  ]);
  expect(scan.found[1]?.definition.endpoint).toEqual({
    kind: 'http',
    url: 'https://two.example/mcp?api_key=${vault:two/api_key}&page=2',
    headers: { Authorization: 'Bearer ${vault:two/Authorization}', 'X-Team': 'blue' },
  });
  const shown = JSON.stringify(scan) + inspect(scan, { depth: 20, showHidden: true });
  for (const value of Object.values(keys)) expect(shown).not.toContain(value);
});

verifies(
  ['S11'],
  'servers in a file or under a key that the client ignores are reported, not imported',
  async () => {
    const machine = emptyMachine();
    const { home, cwd } = machine;
    const servers = { lost: { command: 'x' } };
    const settings = write(join(home, '.claude', 'settings.json'), { permissions: {}, mcpServers: servers });
    const wrongKey = write(join(cwd, '.vscode', 'mcp.json'), { mcpServers: servers });
    const toml = write(join(home, '.codex', 'config.toml'), '[mcpServers.lost]\ncommand = "x"\n');
    write(join(home, '.claude', 'settings.local.json'), { permissions: {} });
    const scan = await readClients(machine);
    expect(scan.found).toEqual([]);
    expect(scan.nearMisses).toMatchObject([
      {
        client: 'vscode',
        file: wrongKey,
        servers: ['lost'],
        line: 2,
        why: 'VS Code reads “servers” in this file.',
      },
      { client: 'codex', file: toml, servers: ['lost'] },
      { client: 'claude-code', file: settings, servers: ['lost'], line: 3 },
    ]);
  },
);

test('servers that a client has switched off by name come switched off', async () => {
  const machine = emptyMachine();
  const servers = { on: { command: 'a' }, off: { command: 'b' } };
  write(join(machine.home, '.claude.json'), {
    projects: { '/p': { mcpServers: servers, disabledMcpServers: ['off'] } },
  });
  write(join(machine.home, '.gemini', 'settings.json'), {
    mcpServers: { ...servers, off2: { command: 'c' } },
    mcp: { excluded: ['off2'] },
  });
  const { found } = await readClients(machine);
  expect(found.filter(({ definition }) => !definition.enabled).map(({ ref }) => ref)).toEqual([
    'claude-code:local:off',
    'gemini-cli:user:off2',
  ]);
});

test('our own gateway in a client is not imported', async () => {
  const machine = emptyMachine();
  write(join(machine.home, '.cursor', 'mcp.json'), {
    mcpServers: { plugboard: { command: '/opt/bin/plug', args: ['gateway'] }, a: { command: 'a' } },
  });
  write(join(machine.home, '.config', 'opencode', 'opencode.json'), {
    mcp: { p: { type: 'local', command: ['plug', 'gateway'] } },
  });
  expect((await readClients(machine)).found.map(({ definition }) => definition.id)).toEqual(['a']);
});

test('a file that two clients read, or that two names lead to, counts once', async () => {
  const machine = emptyMachine();
  write(join(machine.cwd, '.mcp.json'), { mcpServers: { a: { command: 'a' } } });
  mkdirSync(join(machine.cwd, '.cursor'));
  symlinkSync('../.mcp.json', join(machine.cwd, '.cursor', 'mcp.json'));
  const scan = await readClients(machine);
  expect(scan.files.map(({ client }) => client)).toEqual(['claude-code', 'cursor', 'copilot-cli']);
  expect(scan.found.map(({ ref }) => ref)).toEqual(['claude-code:project:a']);
});

test('what cannot be read is said: a folder is none, a pipe is never waited for', async () => {
  const machine = emptyMachine();
  mkdirSync(join(machine.home, '.cursor', 'mcp.json'), { recursive: true });
  symlinkSync('/dev/zero', join(machine.home, '.claude.json'));
  const locked = write(join(machine.home, '.lmstudio', 'mcp.json'), '{}');
  chmodSync(locked, 0o000);
  const { problems, found } = await readClients(machine);
  expect(found).toEqual([]);
  expect(problems.find(({ client }) => client === 'claude-code')?.message).toContain('not a regular file');
});
