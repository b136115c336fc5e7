import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientName, Machine } from '../../src/servers/clients/client.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** A home folder in which every client that we know has been used, on one platform. */
export interface PreparedHome {
  readonly machine: Machine;
  readonly expected: readonly { readonly client: ClientName; readonly scope: string; readonly id: string }[];
}

export function write(file: string, content: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  return file;
}

export function emptyMachine(platform: NodeJS.Platform = 'linux'): Machine {
  const home = temporaryFolder();
  const env = platform === 'win32' ? { APPDATA: join(home, 'AppData', 'Roaming') } : {};
  mkdirSync(join(home, 'work', 'boat'), { recursive: true });
  return { home, cwd: join(home, 'work', 'boat'), env, platform };
}

/** The folder for settings of desktop programs, spelled out once more: the test must not ask the code. */
function settings({ home, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
}

export function prepareHome(platform: NodeJS.Platform): PreparedHome {
  const machine = emptyMachine(platform);
  const { home, cwd } = machine;
  const app = settings(machine);
  const win = platform === 'win32';
  const local = (name: string): object => ({ command: 'npx', args: ['-y', `${name}-mcp`] });
  const files: readonly [ClientName, string, string, unknown, ...string[]][] = [
    ['claude-code', 'project', join(cwd, '.mcp.json'), { mcpServers: { cc3: local('cc3') } }, 'cc3'],
    [
      'claude-desktop',
      'user',
      join(app, 'Claude', 'claude_desktop_config.json'),
      { mcpServers: { desk: local('desk') } },
      'desk',
    ],
    [
      'cursor',
      'user',
      join(home, '.cursor', 'mcp.json'),
      { mcpServers: { cur: { url: 'https://cur.example/mcp' } } },
      'cur',
    ],
    ['cursor', 'project', join(cwd, '.cursor', 'mcp.json'), { mcpServers: { cur2: local('cur2') } }, 'cur2'],
    [
      'vscode',
      'user',
      join(app, 'Code', 'User', 'mcp.json'),
      { servers: { vs: { type: 'http', url: 'https://vs.example' } } },
      'vs',
    ],
    ['vscode', 'project', join(cwd, '.vscode', 'mcp.json'), { servers: { vs2: local('vs2') } }, 'vs2'],
    [
      'vscode',
      'devcontainer',
      join(cwd, '.devcontainer', 'devcontainer.json'),
      { customizations: { vscode: { mcp: { servers: { vs3: local('vs3') } } } } },
      'vs3',
    ],
    [
      'copilot-cli',
      'user',
      join(home, '.copilot', 'mcp-config.json'),
      { mcpServers: { cop: { type: 'local', tools: ['*'], ...local('cop') } } },
      'cop',
    ],
    [
      'gemini-cli',
      'user',
      join(home, '.gemini', 'settings.json'),
      { mcpServers: { gem: { httpUrl: 'https://gem.example/mcp' } } },
      'gem',
    ],
    [
      'gemini-cli',
      'project',
      join(cwd, '.gemini', 'settings.json'),
      { mcpServers: { gem2: local('gem2') } },
      'gem2',
    ],
    [
      'codex',
      'user',
      join(home, '.codex', 'config.toml'),
      '[mcp_servers.cod]\ncommand = "npx"\nargs = ["cod-mcp"]\n',
      'cod',
    ],
    [
      'codex',
      'project',
      join(cwd, '.codex', 'config.toml'),
      '[mcp_servers.cod2]\nurl = "https://cod2.example/mcp"\n',
      'cod2',
    ],
    [
      'opencode',
      'user',
      join(home, '.config', 'opencode', 'opencode.json'),
      { mcp: { oc: { type: 'local', command: ['npx', 'oc-mcp'] } } },
      'oc',
    ],
    [
      'opencode',
      'project',
      join(cwd, 'opencode.jsonc'),
      '{ "mcp": { "servers": { /* new */ "oc2": { "type": "remote", "url": "https://oc2.example" } } } }',
      'oc2',
    ],
    [
      'goose',
      'user',
      win
        ? join(app, 'Block', 'goose', 'config', 'config.yaml')
        : join(home, '.config', 'goose', 'config.yaml'),
      'extensions:\n  dev: {type: builtin, name: dev, enabled: true}\n  gos:\n    name: gos\n    type: stdio\n    cmd: uvx\n    args: [gos-mcp]\n    enabled: true\n',
      'gos',
    ],
    [
      'zed',
      'user',
      win ? join(app, 'Zed', 'settings.json') : join(home, '.config', 'zed', 'settings.json'),
      '{ // mine\n "context_servers": { "zd": { "source": "custom", "command": "zd" }, "ext": { "settings": {} } }, }',
      'zd',
    ],
    [
      'windsurf',
      'user',
      join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      { mcpServers: { ws: { serverUrl: 'https://ws.example/sse' } } },
      'ws',
    ],
    [
      'continue',
      'user',
      join(home, '.continue', 'config.yaml'),
      'name: mine\nmcpServers:\n  - name: Con One\n    command: npx\n    args: [con]\n',
      'con-one',
    ],
    [
      'continue',
      'project',
      join(cwd, '.continue', 'mcpServers', 'b.yaml'),
      'mcpServers:\n  - name: con2\n    url: https://con2.example\n    type: sse\n',
      'con2',
    ],
    [
      'continue',
      'project',
      join(cwd, '.continue', 'mcpServers', 'c.json'),
      { mcpServers: { con3: local('con3') } },
      'con3',
    ],
    [
      'lm-studio',
      'user',
      join(home, '.lmstudio', 'mcp.json'),
      { mcpServers: { lm: { url: 'https://lm.example/mcp' } } },
      'lm',
    ],
    [
      'librechat',
      'project',
      join(cwd, 'librechat.yaml'),
      'mcpServers:\n  lib:\n    type: streamable-http\n    url: https://lib.example\n',
      'lib',
    ],
    [
      'cline',
      'user',
      join(
        app,
        'Code',
        'User',
        'globalStorage',
        'saoudrizwan.claude-dev',
        'settings',
        'cline_mcp_settings.json',
      ),
      { mcpServers: { cl: { type: 'streamableHttp', url: 'https://cl.example', timeout: 30 } } },
      'cl',
    ],
    [
      'roo',
      'user',
      join(
        app,
        'Code',
        'User',
        'globalStorage',
        'rooveterinaryinc.roo-cline',
        'settings',
        'mcp_settings.json',
      ),
      { mcpServers: { ro: { type: 'streamable-http', url: 'https://ro.example' } } },
      'ro',
    ],
    ['roo', 'project', join(cwd, '.roo', 'mcp.json'), { mcpServers: { ro2: local('ro2') } }, 'ro2'],
    ['mcp-json', 'project', join(cwd, 'mcp.json'), { mcpServers: { plain: local('plain') } }, 'plain'],
  ];
  write(join(home, '.claude.json'), {
    numStartups: 3,
    mcpServers: { cc1: { type: 'stdio', ...local('cc1') } },
    projects: { [cwd]: { history: [], mcpServers: { cc2: local('cc2') } }, '/elsewhere': { mcpServers: {} } },
  });
  for (const [, , path, content] of files) write(path, content);
  return {
    machine,
    expected: [
      { client: 'claude-code', scope: 'user', id: 'cc1' },
      { client: 'claude-code', scope: 'local', id: 'cc2' },
      ...files.flatMap(([client, scope, , , ...ids]) => ids.map((id) => ({ client, scope, id }))),
    ],
  };
}
