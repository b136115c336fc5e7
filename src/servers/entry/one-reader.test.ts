import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import { expect } from 'vitest';
import { emptyMachine, write } from '../../../test/clients/prepared-home.ts';
import { verifies } from '../../../test/requirements.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ClientName, Machine } from '../clients/client.ts';
import { takeKeys } from '../clients/plaintext-keys.ts';
import { readClients } from '../clients/scan.ts';
import { readConfigFile } from '../config-file.ts';
import type { ServerDefinition } from '../definition.ts';
import { readInputList } from './inputs.ts';
import { definitionFrom } from '../paste/definition-from.ts';
import { parsePaste } from '../paste/parse-paste.ts';
import { resolveServers } from '../sources.ts';

interface Sample {
  readonly client: ClientName;
  readonly entry: JsonObject;
  readonly key?: string;
  readonly inputs?: readonly JsonObject[];
  /** What must come out, in part. */
  readonly gives: object;
}

const local = (command: string, ...args: readonly string[]): object => ({
  endpoint: { kind: 'stdio', command, args },
});
const address = (kind: string, url: string, headers: object = {}): object => ({
  endpoint: { kind, url, headers },
});
const variables = (env: object): object => ({ endpoint: { env } });

/** `client`: whose file the entry stands in. */
const SAMPLES: readonly Sample[] = [
  // Programs: dots and brackets of a language are no sample text, those of its arguments are
  {
    client: 'cursor',
    entry: { command: '/usr/bin/node', args: ['-e', 'run({ ...given }, a [list], x)', '--', '<your key>'] },
    gives: local('/usr/bin/node', '-e', 'run({ ...given }, a [list], x)', '--', '${input:your-key}'),
  },
  {
    client: 'cursor',
    entry: { command: 'python3', args: ['-m', 'notes', '-c', '<config file>'] },
    gives: local('python3', '-m', 'notes', '-c', '${input:config-file}'),
  },
  // Times
  { client: 'cursor', entry: { command: 'x', timeout: 60 }, gives: { timeouts: { callMs: 60_000 } } },
  { client: 'cursor', entry: { command: 'x', timeout: 30_000 }, gives: { timeouts: { callMs: 30_000 } } },
  { client: 'cursor', entry: { command: 'x', timeout_s: 2.5 }, gives: { timeouts: { callMs: 2_500 } } },
  { client: 'cline', entry: { command: 'x', timeout: 300 }, gives: { timeouts: { callMs: 300_000 } } },
  {
    client: 'cline',
    entry: { command: 'x', timeout: 3_600, autoApprove: ['a'] },
    gives: { timeouts: { callMs: 3_600_000 }, extra: { autoApprove: ['a'] } },
  },
  {
    client: 'roo',
    entry: { command: 'x', timeout: 1_800, alwaysAllow: ['a'], watchPaths: ['/p'] },
    gives: { timeouts: { callMs: 1_800_000 } },
  },
  {
    client: 'gemini-cli',
    entry: { httpUrl: 'https://a.test/mcp', timeout: 600_000 },
    gives: { timeouts: { callMs: 600_000 }, ...address('http', 'https://a.test/mcp') },
  },
  {
    client: 'goose',
    entry: { name: 'g', type: 'stdio', cmd: 'uvx', args: ['r'], timeout: 1_800, enabled: true },
    gives: { timeouts: { callMs: 1_800_000 }, ...local('uvx', 'r') },
  },
  {
    client: 'codex',
    entry: { command: 'x', startup_timeout_sec: 20, tool_timeout_sec: 90 },
    gives: { timeouts: { startMs: 20_000, callMs: 90_000 } },
  },
  {
    client: 'librechat',
    entry: { command: 'x', initTimeout: 900, timeout: 30_000 },
    gives: { timeouts: { startMs: 900, callMs: 30_000 } },
  },
  {
    client: 'continue',
    entry: { name: 'c', command: 'x', connectionTimeout: 5_000 },
    gives: { timeouts: { startMs: 5_000 } },
  },
  {
    client: 'opencode',
    entry: { type: 'local', command: ['npx', '-y', 'p'], environment: { A: 'b' }, timeout: 7_000 },
    gives: { timeouts: { startMs: 7_000 }, endpoint: { command: 'npx', args: ['-y', 'p'], env: { A: 'b' } } },
  },
  {
    client: 'opencode',
    entry: { type: 'remote', url: 'https://a.test/mcp', timeout: { startup: 5_000, request: 9_000 } },
    gives: { timeouts: { startMs: 5_000, callMs: 9_000 } },
  },
  {
    client: 'cursor',
    entry: { command: 'x', timeouts: { startMs: 5, callMs: 6, idleMs: 7, toolMs: { slow: 8 } } },
    gives: { timeouts: { startMs: 5, callMs: 6, idleMs: 7, toolMs: { slow: 8 } } },
  },
  { client: 'cursor', entry: { command: 'x', timeout: 9e9 }, gives: { timeouts: { callMs: 3_600_000 } } },
  // Commands
  { client: 'cursor', entry: { command: 'npx -y x --flag' }, gives: local('npx', '-y', 'x', '--flag') },
  {
    client: 'claude-desktop',
    entry: { command: 'C:\\Program Files\\x\\y.exe', args: [] },
    gives: local('C:\\Program Files\\x\\y.exe'),
  },
  {
    client: 'cursor',
    entry: { command: 'x', args: ['--port', 3000, true] },
    gives: local('x', '--port', '3000', 'true'),
  },
  {
    client: 'cursor',
    entry: { command: 'uvx', args: 'r --root "/a b"' },
    gives: local('uvx', 'r', '--root', '/a b'),
  },
  {
    client: 'claude-desktop',
    entry: { command: 'cmd', args: ['/c', 'npx', '-y', 'p'] },
    gives: local('npx', '-y', 'p'),
  },
  {
    client: 'cursor',
    entry: { command: 'cmd.exe', args: ['/C', 'npx -y p'] },
    gives: local('npx', '-y', 'p'),
  },
  {
    client: 'zed',
    entry: { source: 'custom', command: { path: 'z', args: ['1'], env: { A: 'b' } } },
    gives: { endpoint: { command: 'z', args: ['1'], env: { A: 'b' } } },
  },
  { client: 'roo', entry: { command: 'x', cwd: '.' }, gives: { endpoint: { cwd: 'HERE' } } },
  { client: 'vscode', entry: { command: 'x', cwd: 'sub/dir' }, gives: { endpoint: { cwd: 'HERE/sub/dir' } } },
  { client: 'roo', entry: { command: 'x', cwd: '~/y' }, gives: { endpoint: { cwd: '~/y' } } },
  // Variables and placeholders
  {
    client: 'cursor',
    entry: { command: 'x', env: { A: 1, B: true, C: '' } },
    gives: variables({ A: '1', B: 'true', C: '' }),
  },
  {
    client: 'claude-desktop',
    entry: { command: 'x', env: { A: '${VAR}' } },
    gives: variables({ A: '${VAR}' }),
  },
  { client: 'cursor', entry: { command: 'x', env: { A: '${env:VAR}' } }, gives: variables({ A: '${VAR}' }) },
  {
    client: 'claude-code',
    entry: { command: 'x', args: ['${DIR:-/tmp}'], env: { A: '${VAR:-b}' } },
    gives: { endpoint: { args: ['${DIR:-/tmp}'], env: { A: '${VAR:-b}' } } },
  },
  {
    client: 'opencode',
    entry: { type: 'local', command: ['x'], environment: { A: '{env:VAR}' } },
    gives: variables({ A: '${VAR}' }),
  },
  {
    client: 'opencode',
    entry: { type: 'local', command: ['x'], environment: { A: '{file:/k}' } },
    gives: variables({ A: '${file:/k}' }),
  },
  {
    client: 'gemini-cli',
    entry: { command: 'x', env: { A: '$GITHUB_TOKEN' } },
    gives: variables({ A: '${GITHUB_TOKEN}' }),
  },
  {
    client: 'claude-desktop',
    entry: { command: 'x', args: ['%APPDATA%\\x'] },
    gives: local('x', '${APPDATA}\\x'),
  },
  {
    client: 'continue',
    entry: {
      name: 'c',
      url: 'https://a.test/mcp',
      type: 'streamable-http',
      requestOptions: { headers: { K: '${{ secrets.K }}' } },
    },
    gives: address('http', 'https://a.test/mcp', { K: '${vault:K}' }),
  },
  {
    client: 'librechat',
    entry: { type: 'streamable-http', url: 'https://a.test/mcp', headers: { U: '{{USER_KEY}}' } },
    gives: address('http', 'https://a.test/mcp', { U: '${input:USER_KEY}' }),
  },
  {
    client: 'cursor',
    entry: { command: 'x', args: ['${workspaceFolder}/a', '${userHome}/b'] },
    gives: local('x', 'HERE/a', '${HOME}/b'),
  },
  {
    client: 'cursor',
    entry: { command: 'x', args: ['$HOME/b', '--key', '<your key>'] },
    gives: local('x', '${HOME}/b', '--key', '${input:your-key}'),
  },
  {
    client: 'cursor',
    entry: { command: 'x', env: { API_TOKEN: '<your token>' } },
    gives: variables({ API_TOKEN: '${input:API_TOKEN}' }),
  },
  {
    client: 'vscode',
    entry: { command: 'x', env: { API_TOKEN: 'YOUR_API_TOKEN' } },
    gives: variables({ API_TOKEN: '${input:API_TOKEN}' }),
  },
  {
    client: 'cursor',
    entry: { url: 'https://a.test/mcp', headers: { Authorization: 'Bearer <your token>' } },
    gives: address('http', 'https://a.test/mcp', { Authorization: 'Bearer ${input:your-token}' }),
  },
  {
    client: 'cursor',
    entry: { command: 'sh', args: ['-c', 'A=1; echo ${A%x} "$A"'] },
    gives: local('sh', '-c', 'A=1; echo $${A%x} "$A"'),
  },
  {
    client: 'claude-desktop',
    entry: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'KEY', '-e', 'ZONE=<zone>', 'acme/mcp'] },
    gives: {
      endpoint: {
        args: ['run', '-i', '--rm', '-e', 'KEY', '-e', 'ZONE=${input:ZONE}', 'acme/mcp'],
        env: { KEY: '${KEY}' },
      },
    },
  },
  { client: 'codex', entry: { command: 'x', env_vars: ['KEY'] }, gives: variables({ KEY: '${KEY}' }) },
  {
    client: 'goose',
    entry: { name: 'g', type: 'stdio', cmd: 'x', args: [], env_keys: ['KEY'] },
    gives: variables({ KEY: '${KEY}' }),
  },
  {
    client: 'cursor',
    entry: { command: 'x', env: { NODE_OPTIONS: '--require=/x.js' } },
    gives: variables({ NODE_OPTIONS: '--require=/x.js' }),
  },
  {
    client: 'vscode',
    entry: { type: 'stdio', command: 'x', env: { K: '${input:k}', Z: '${input:z}' } },
    inputs: [
      { type: 'promptString', id: 'k', description: 'Key', password: true },
      { type: 'pickString', id: 'z', description: 'Zone', options: ['a', 'b'], default: 'a' },
      { type: 'promptString', id: 'other' },
    ],
    gives: { config: { z: 'a' }, endpoint: { env: { K: '${input:k}', Z: '${input:z}' } } },
  },
  // Addresses
  { client: 'cursor', entry: { url: 'https://a.test/sse' }, gives: address('sse', 'https://a.test/sse') },
  {
    client: 'claude-code',
    entry: { type: 'http', url: 'https://a.test/sse' },
    gives: address('http', 'https://a.test/sse'),
  },
  {
    client: 'windsurf',
    entry: { serverUrl: 'https://a.test/mcp' },
    gives: address('http', 'https://a.test/mcp'),
  },
  {
    client: 'cline',
    entry: { type: 'streamableHttp', url: 'https://a.test/mcp', disabled: true },
    gives: { enabled: false, ...address('http', 'https://a.test/mcp') },
  },
  {
    client: 'librechat',
    entry: { type: 'websocket', url: 'wss://a.test/mcp' },
    gives: address('ws', 'wss://a.test/mcp'),
  },
  {
    client: 'goose',
    entry: { name: 'g', type: 'streamable_http', uri: 'https://a.test/mcp', headers: { K: '$KEY' } },
    gives: address('http', 'https://a.test/mcp', { K: '${KEY}' }),
  },
  {
    client: 'codex',
    entry: {
      url: 'https://a.test/mcp',
      bearer_token_env_var: 'T',
      env_http_headers: { 'X-A': 'V' },
      http_headers: { 'X-B': 'b' },
    },
    gives: address('http', 'https://a.test/mcp', { Authorization: 'Bearer ${T}', 'X-A': '${V}', 'X-B': 'b' }),
  },
  // Wrappers
  {
    client: 'claude-desktop',
    entry: { command: 'npx', args: ['-y', 'mcp-remote', 'https://a.test/mcp'] },
    gives: address('http', 'https://a.test/mcp'),
  },
  {
    client: 'claude-desktop',
    entry: {
      command: 'npx',
      args: [
        'mcp-remote@latest',
        'https://a.test/sse',
        '--header',
        'Authorization:${AUTH_HEADER}',
        '--transport',
        'http-only',
      ],
      env: { AUTH_HEADER: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl' },
    },
    gives: address('http', 'https://a.test/sse', { Authorization: 'Bearer ${vault:a/Authorization}' }),
  },
  {
    client: 'cursor',
    entry: {
      command: 'npx',
      args: [
        'mcp-remote',
        'https://a.test/mcp',
        '--header',
        'X-Key: ${KEY}',
        '--ignore-tool',
        'drop*',
        '8080',
        '--allow-http',
      ],
      env: { KEY: '${env:MY_KEY}' },
    },
    gives: { tools: { deny: ['drop*'] }, ...address('http', 'https://a.test/mcp', { 'X-Key': '${MY_KEY}' }) },
  },
  {
    client: 'cursor',
    entry: { command: 'npx', args: ['mcp-remote', 'https://a.test/mcp', '--static-oauth-client-info', '{}'] },
    gives: { endpoint: { kind: 'stdio', command: 'npx' } },
  },
  {
    client: 'cursor',
    entry: {
      command: 'npx',
      args: [
        '-y',
        'supergateway',
        '--sse',
        'https://a.test/x',
        '--oauth2Bearer',
        '${TOKEN}',
        '--logLevel',
        'none',
      ],
    },
    gives: address('sse', 'https://a.test/x', { Authorization: 'Bearer ${TOKEN}' }),
  },
  {
    client: 'cursor',
    entry: {
      command: 'npx',
      args: ['-y', 'supergateway', '--streamableHttp', 'https://a.test/mcp', '--header', 'X-A: b'],
    },
    gives: address('http', 'https://a.test/mcp', { 'X-A': 'b' }),
  },
  {
    client: 'cursor',
    entry: {
      command: 'npx',
      args: ['-y', 'supergateway', '--stdio', 'uvx mcp-server-git', '--port', '8000'],
    },
    gives: local('uvx', 'mcp-server-git'),
  },
  {
    client: 'claude-desktop',
    entry: { command: 'mcp-proxy', args: ['https://a.test/x', '--headers', 'X-A', 'b'] },
    gives: address('sse', 'https://a.test/x', { 'X-A': 'b' }),
  },
  {
    client: 'claude-desktop',
    entry: {
      command: 'uvx',
      args: ['mcp-proxy', '--transport=streamablehttp', 'https://a.test/mcp'],
      env: { API_ACCESS_TOKEN: '${TOKEN}' },
    },
    gives: address('http', 'https://a.test/mcp', { Authorization: 'Bearer ${TOKEN}' }),
  },
  {
    client: 'cursor',
    entry: { command: 'mcp-proxy', args: ['--port', '8080', '-e', 'A', 'b', '--', 'uvx', 'mcp-server-git'] },
    gives: { endpoint: { command: 'uvx', args: ['mcp-server-git'], env: { A: 'b' } } },
  },
  // Tools and switches
  {
    client: 'cursor',
    entry: { command: 'x', tools: { allow: ['get_*'], deny: ['drop'] } },
    gives: { tools: { allow: ['get_*'], deny: ['drop'] } },
  },
  { client: 'copilot-cli', entry: { type: 'local', command: 'x', tools: ['*'] }, gives: { tools: {} } },
  {
    client: 'copilot-cli',
    entry: { type: 'local', command: 'x', tools: ['a', 'b'] },
    gives: { tools: { allow: ['a', 'b'] } },
  },
  {
    client: 'gemini-cli',
    entry: { command: 'x', includeTools: ['a'], excludeTools: ['b'], trust: true },
    gives: { tools: { allow: ['a'], deny: ['b'] }, extra: { trust: true } },
  },
  {
    client: 'codex',
    entry: { command: 'x', enabled_tools: ['a'], disabled_tools: ['b'], enabled: false },
    gives: { tools: { allow: ['a'], deny: ['b'] }, enabled: false },
  },
  { client: 'windsurf', entry: { command: 'x', disabledTools: ['b'] }, gives: { tools: { deny: ['b'] } } },
  { client: 'roo', entry: { command: 'x', disabledTools: ['b'] }, gives: { tools: { deny: ['b'] } } },
  {
    client: 'goose',
    entry: { name: 'g', type: 'stdio', cmd: 'x', args: [], available_tools: [] },
    gives: { tools: {} },
  },
  {
    client: 'cursor',
    entry: { command: 'x', readOnly: true, keepAlive: true, sharing: 'per-host', auth: 'none' },
    gives: { readOnly: true, keepAlive: true, sharing: 'per-host', auth: 'none' },
  },
  {
    client: 'mcp-json',
    entry: {
      command: 'npx',
      args: ['-y', 'p@1.0.0'],
      package: { registry: 'npm', name: 'p', version: '1.0.0', integrity: 'sha512-x' },
    },
    gives: { package: { registry: 'npm', name: 'p', version: '1.0.0', integrity: 'sha512-x' } },
  },
  {
    client: 'cursor',
    entry: { command: 'x', config: { dir: '/d' }, args: ['${input:dir}'] },
    gives: { config: { dir: '/d' } },
  },
  {
    client: 'vscode',
    entry: { command: 'x', envFile: '.env', gallery: true, dev: { watch: '**' } },
    gives: { extra: { envFile: '.env', gallery: true, dev: { watch: '**' } } },
  },
  {
    client: 'cursor',
    entry: { url: 'https://a.test/mcp', auth: { CLIENT_ID: 'c' } },
    gives: { auth: 'unknown', extra: { auth: { CLIENT_ID: 'c' } } },
  },
  { client: 'cursor', entry: { command: 'x', color: 'blue' }, gives: { extra: { color: 'blue' } } },
  // Names
  {
    client: 'cursor',
    key: 'Café Größe',
    entry: { command: 'x' },
    gives: { id: 'cafe-grosse', name: 'Café Größe' },
  },
  { client: 'cursor', key: '日本語', entry: { command: 'x' }, gives: { name: '日本語' } },
  {
    client: 'cursor',
    key: 'GitHub (work)',
    entry: { command: 'x' },
    gives: { id: 'github-work', name: 'GitHub (work)' },
  },
  {
    client: 'goose',
    key: 'rowing',
    entry: { name: 'Rowing Club', type: 'stdio', cmd: 'x', args: [] },
    gives: { id: 'rowing', name: 'Rowing Club' },
  },
];

verifies(
  ['S19'],
  'an entry means the same by paste, import, mcp.json, file and link, in every dialect',
  async () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(60);
    for (const sample of SAMPLES) {
      const routes = await readEveryWay(sample);
      const what = JSON.stringify(sample.entry);
      const expected = here(sample.gives, routes.machine);
      for (const [route, definition] of Object.entries(routes.definitions)) {
        expect(definition, `${route}: ${what}`).toMatchObject(expected);
        expect(definition, `${route}: ${what}`).toEqual(routes.definitions['mcp.json']);
      }
    }
  },
);

/** Without the source, and with keys in the vault as they end up. */
async function readEveryWay(sample: Sample) {
  const machine = emptyMachine();
  const { cwd } = machine;
  const key = sample.key ?? 'a';
  const { entry, inputs = [] } = sample;
  const plain = { mcpServers: { [key]: entry }, ...(inputs.length > 0 ? { inputs } : {}) };
  const file = write(join(cwd, 'mcp.json'), plain);
  const definitions = {
    'mcp.json': await fromConfigFile(file),
    import: await fromClient(sample, key, emptyMachine(), machine),
    paste: pasted(clientText(sample, key).text, cwd),
    file: pasted(readFileSync(file, 'utf8'), cwd),
    'Cursor link': pasted(cursorLink(key, entry), cwd, inputs),
    'VS Code link': pasted(vscodeLink(key, entry, inputs), cwd),
  };
  const bare = Object.entries(definitions).map(([route, definition]) => {
    const { source: _source, ...rest } = takeKeys(definition).definition;
    return [route, rest] as const;
  });
  return { machine, definitions: Object.fromEntries(bare) };
}

async function fromConfigFile(path: string): Promise<ServerDefinition> {
  const file = await readConfigFile(path);
  const resolved = resolveServers({
    files: [{ scope: 'project', file }],
    stored: [],
    overrides: [],
    trust: [],
  });
  const [server] = resolved.servers;
  return server?.definition ?? expect.fail(JSON.stringify(resolved.errors));
}

async function fromClient(
  sample: Sample,
  key: string,
  { home }: Machine,
  { cwd, env, platform }: Machine,
): Promise<ServerDefinition> {
  const { path, text } = clientText(sample, key);
  write(path.startsWith('~') ? join(home, path.slice(2)) : join(cwd, path), text);
  const scan = await readClients({ home, cwd, env, platform, clients: [sample.client] });
  const [found] = scan.found;
  return found?.definition ?? expect.fail(JSON.stringify(scan.problems));
}

function pasted(text: string, cwd: string, inputs: readonly JsonObject[] = []): ServerDefinition {
  const { servers, problems } = parsePaste(text);
  const [server] = servers;
  if (!server) return expect.fail(`${text}: ${JSON.stringify(problems)}`);
  const given = { source: { kind: 'manual' as const }, folder: cwd, workspace: cwd };
  // A Cursor link has no place for inputs.
  const more = inputs.length > 0 ? { inputs: readInputList(inputs) } : {};
  return definitionFrom({ ...server, ...more }, given);
}

/** The client's own file, with this one server. */
function clientText({ client, entry, inputs = [] }: Sample, key: string): { path: string; text: string } {
  const json = (path: string, container: string, more: object = {}) => ({
    path,
    text: JSON.stringify({ [container]: { [key]: entry }, ...more }),
  });
  const settings = '~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings';
  switch (client) {
    case 'cursor':
      return json('.cursor/mcp.json', 'mcpServers');
    case 'vscode':
      return json('.vscode/mcp.json', 'servers', inputs.length > 0 ? { inputs } : {});
    case 'claude-code':
      return json('.mcp.json', 'mcpServers');
    case 'claude-desktop':
      return json('~/.config/Claude/claude_desktop_config.json', 'mcpServers');
    case 'copilot-cli':
      return json('~/.copilot/mcp-config.json', 'mcpServers');
    case 'gemini-cli':
      return json('.gemini/settings.json', 'mcpServers');
    case 'windsurf':
      return json('~/.codeium/windsurf/mcp_config.json', 'mcpServers');
    case 'zed':
      return json('.zed/settings.json', 'context_servers');
    case 'opencode':
      return json('opencode.json', 'mcp');
    case 'roo':
      return json('.roo/mcp.json', 'mcpServers');
    case 'cline':
      return json(`${settings}/cline_mcp_settings.json`, 'mcpServers');
    case 'codex':
      return { path: '.codex/config.toml', text: stringifyToml({ mcp_servers: { [key]: entry } }) };
    case 'goose':
      return { path: '~/.config/goose/config.yaml', text: stringifyYaml({ extensions: { [key]: entry } }) };
    case 'librechat':
      return { path: 'librechat.yaml', text: stringifyYaml({ mcpServers: { [key]: entry } }) };
    case 'continue':
      return { path: '.continue/mcpServers/a.json', text: JSON.stringify({ mcpServers: { [key]: entry } }) };
    case 'lm-studio':
      return json('~/.lmstudio/mcp.json', 'mcpServers');
    case 'emacs': // It has no file of servers, only the block that connects it.
    case 'mcp-json':
    default:
      return json('mcp.json', 'mcpServers');
  }
}

function cursorLink(key: string, entry: JsonObject): string {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64');
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(key)}&config=${encodeURIComponent(config)}`;
}

function vscodeLink(key: string, entry: JsonObject, inputs: readonly JsonObject[]): string {
  const more = inputs.length > 0 ? `&inputs=${encodeURIComponent(JSON.stringify(inputs))}` : '';
  const config = encodeURIComponent(JSON.stringify(entry));
  return `https://vscode.dev/redirect/mcp/install?name=${encodeURIComponent(key)}&config=${config}${more}`;
}

function here(value: object, { cwd }: Machine): object {
  return JSON.parse(JSON.stringify(value).replaceAll('HERE', JSON.stringify(cwd).slice(1, -1))) as object;
}
