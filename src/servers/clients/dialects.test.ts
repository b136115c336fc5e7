import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { EntryOutcome } from '../config-entry.ts';
import type { ServerDefinition } from '../definition.ts';
import { clientNamed } from './clients.ts';
import { readEntry } from './read-entry.ts';
import { writeEntry } from './write-entry.ts';

const source = { kind: 'import', file: '/home/ann/f.json' } as const;

function outcomeOf(client: string, entry: unknown, more: object = {}): EntryOutcome {
  return readEntry(clientNamed(client), entry, { key: 'a', source, home: '/home/ann', inputs: [], ...more });
}

function read(client: string, entry: unknown, more?: object): ServerDefinition {
  const outcome = outcomeOf(client, entry, more);
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return outcome.definition;
}

verifies(['S11'], 'each client’s own fields mean what they mean there', () => {
  expect(
    read('codex', {
      url: 'https://a.example',
      bearer_token_env_var: 'T',
      env_http_headers: { 'X-A': 'V' },
      http_headers: { 'X-B': 'b' },
      startup_timeout_sec: 10,
      tool_timeout_sec: 90,
      enabled_tools: ['r'],
      enabled: false,
    }),
  ).toMatchObject({
    endpoint: { kind: 'http', headers: { Authorization: 'Bearer ${T}', 'X-A': '${V}', 'X-B': 'b' } },
    timeouts: { startMs: 10_000, callMs: 90_000 },
    tools: { allow: ['r'] },
    enabled: false,
  });
  expect(
    read('opencode', {
      type: 'local',
      command: ['npx', '-y', 'p'],
      environment: { A: '{env:B}' },
      timeout: 7000,
    }),
  ).toMatchObject({
    endpoint: { kind: 'stdio', command: 'npx', args: ['-y', 'p'], env: { A: '${B}' } },
    timeouts: { startMs: 7000 },
  });
  expect(
    read('goose', {
      name: 'Rowing Club',
      type: 'stdio',
      cmd: 'uvx',
      args: ['r'],
      envs: { A: 'b', PORT: 8080 },
      env_keys: ['ROW_KEY'],
      timeout: 300,
      enabled: true,
      bundled: null,
    }),
  ).toMatchObject({
    name: 'Rowing Club',
    endpoint: { command: 'uvx', env: { A: 'b', PORT: '8080', ROW_KEY: '${ROW_KEY}' } },
    timeouts: { callMs: 300_000 },
  });
  expect(
    read('goose', { name: 'w', type: 'streamable_http', uri: 'https://w.example', headers: { K: '$KEY' } })
      .endpoint,
  ).toEqual({ kind: 'http', url: 'https://w.example', headers: { K: '${KEY}' } });
  expect(
    read('gemini-cli', {
      httpUrl: 'https://g.example',
      timeout: 600_000,
      includeTools: ['a'],
      excludeTools: ['b'],
    }),
  ).toMatchObject({
    endpoint: { kind: 'http' },
    timeouts: { callMs: 600_000 },
    tools: { allow: ['a'], deny: ['b'] },
  });
  expect(
    read('windsurf', { serverUrl: 'https://w.example', headers: { K: '${file:/k}' } }).endpoint,
  ).toMatchObject({ url: 'https://w.example', headers: { K: '${file:/k}' } });
  expect(
    read('continue', {
      name: 'x',
      type: 'streamable-http',
      url: 'https://c.example',
      requestOptions: { headers: { K: '${{ secrets.K }}' }, timeout: 1 },
    }),
  ).toMatchObject({
    endpoint: { headers: { K: '${vault:K}' } },
    extra: { requestOptions: { timeout: 1 } },
  });
  expect(
    read('librechat', { type: 'websocket', url: 'wss://l.example', headers: { U: '{{LIBRECHAT_USER_ID}}' } })
      .endpoint,
  ).toEqual({ kind: 'ws', url: 'wss://l.example', headers: { U: '${input:LIBRECHAT_USER_ID}' } });
  expect(
    read('zed', { source: 'custom', command: { path: 'z', args: ['1'], env: { A: 'b' } } }).endpoint,
  ).toEqual({ kind: 'stdio', command: 'z', args: ['1'], env: { A: 'b' } });
  expect(
    read('cline', { type: 'streamableHttp', url: 'https://c.example', disabled: true, timeout: 60 }),
  ).toMatchObject({ endpoint: { kind: 'http' }, enabled: false, timeouts: { callMs: 60_000 } });
  expect(
    read('claude-code', { type: 'sse', url: '${URL:-https://s.example}', headers: { K: '${K}' } }).endpoint,
  ).toEqual({ kind: 'sse', url: '${URL:-https://s.example}', headers: { K: '${K}' } });
  expect(read('copilot-cli', { type: 'local', command: 'x', tools: ['*'] }).tools).toEqual({});
});

verifies(['S11'], 'VS Code’s questions go along with the server that asks them', () => {
  const inputs = [
    { type: 'promptString', id: 'k', description: 'Key', password: true },
    { type: 'promptString', id: 'other' },
  ];
  const server = read(
    'vscode',
    { type: 'stdio', command: 'x', args: ['${workspaceFolder}', '${userHome}/d'], env: { K: '${input:k}' } },
    { inputs, workspace: '/home/ann/boat' },
  );
  expect(server.endpoint).toMatchObject({
    args: ['/home/ann/boat', '${HOME}/d'],
    env: { K: '${input:k}' },
  });
  expect(server.extra).toEqual({ inputs: [inputs[0]] });
});

verifies(['S11'], 'wrappers that we do not need are taken off', () => {
  const desk = (entry: object): unknown => read('claude-desktop', entry).endpoint;
  expect(desk({ command: 'cmd', args: ['/c', 'npx', '-y', 'p'] })).toMatchObject({
    command: 'npx',
    args: ['-y', 'p'],
  });
  expect(desk({ command: 'npx -y p --flag' })).toMatchObject({ command: 'npx', args: ['-y', 'p', '--flag'] });
  expect(desk({ command: 'C:\\Program Files\\x\\y.exe' })).toMatchObject({
    command: 'C:\\Program Files\\x\\y.exe',
  });
  expect(
    desk({
      command: 'npx',
      args: [
        'mcp-remote@0.1.2',
        'https://r.example/sse',
        '--header',
        'Authorization: Bearer ${TOKEN}',
        '--transport',
        'sse-only',
      ],
      env: { TOKEN: 'abc' },
    }),
  ).toEqual({ kind: 'sse', url: 'https://r.example/sse', headers: { Authorization: 'Bearer abc' } });
  expect(
    desk({ command: 'npx', args: ['mcp-remote', 'https://r.example', '--static-oauth-client-info', '{}'] }),
  ).toMatchObject({ kind: 'stdio', command: 'npx' });
  expect(
    desk({ command: 'npx', args: ['mcp-remote', 'https://r.example'], env: { HTTPS_PROXY: 'http://p' } }),
  ).toMatchObject({ kind: 'stdio' });
});

test('any name becomes an id, and a name that would move the cursor is made plain', () => {
  expect(read('cursor', { command: 'x' }, { key: 'GitHub (Work)' })).toMatchObject({
    id: 'github-work',
    name: 'GitHub (Work)',
  });
  expect(read('cursor', { command: 'x' }, { key: 'Café' }).id).toBe('cafe');
  expect(read('cursor', { command: 'x' }, { key: '日本語' }).id).toMatch(/^server-[0-9a-f]{6}$/);
  expect(read('cursor', { command: 'x' }, { key: 'a\u001B[2Jb\u202E' }).name).toBe('a[2Jb');
  expect(read('cursor', { command: 'x' }, { key: 'constructor' }).id).toMatch(/^server-/);
  expect(read('cursor', { command: 'x' }, { key: '__proto__' }).id).toBe('proto');
});

test('a field that the server may depend on, and that we do not act on, is said', () => {
  const outcome = outcomeOf('vscode', { command: 'x', envFile: '.env', dev: { watch: '**' } });
  expect(outcome).toMatchObject({
    kind: 'ok',
    warnings: [
      '“envFile” is kept, but not acted on: give here what the server needs of it.',
      '“dev” is kept, without effect here.',
    ],
    definition: { extra: { envFile: '.env', dev: { watch: '**' } } },
  });
});

test('an entry that cannot work says why', () => {
  for (const [entry, why] of [
    [7, 'an object'],
    [{}, 'nothing says how to reach'],
    [{ command: 'x', url: 'https://a.example' }, 'one of the two'],
    [{ url: 'ftp://a.example' }, 'http'],
    [{ command: 'x', args: 7 }, 'a list of texts'],
    [{ command: 'x', env: { A: { b: 1 } } }, 'a text in quotes'],
  ] as const) {
    const outcome = outcomeOf('cursor', entry);
    expect(outcome.kind === 'error' && outcome.error.message).toContain(why);
  }
});

verifies(
  ['S12'],
  'a remote server for a client without addresses goes through the known bridge, and comes back',
  () => {
    const remote = read('cursor', { url: 'https://r.example/mcp', headers: { 'X-K': 'v' } });
    const { entry, warnings } = writeEntry(clientNamed('claude-desktop'), remote);
    expect(entry).toEqual({
      command: 'npx',
      args: ['-y', 'mcp-remote', 'https://r.example/mcp', '--header', 'X-K:v'],
    });
    expect(warnings).toHaveLength(1);
    expect(read('claude-desktop', entry).endpoint).toEqual(remote.endpoint);
  },
);

test('an unknown client is named with those that are known', () => {
  expect(() => clientNamed('cursr')).toThrow('Did you mean cursor?');
  expect(() => clientNamed('emacs')).toThrow('Unknown client “emacs”');
  expect(clientNamed('copilot').name).toBe('copilot-cli');
});
