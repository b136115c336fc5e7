import { join } from 'node:path';
import { type Client, EACH, type Machine } from './client.ts';
import { geminiVariables } from './client-variables.ts';
import { claudeSwitches, geminiSwitches } from './switches.ts';
import { configFolder, inEachPlace, inFolders, jsonPlace, mistakesAt, tomlPlace } from './places.ts';
import type { PlaceholderSyntax, AfterWrite } from './dialect.ts';
import { bareSyntax, shellSyntax, standardDialect } from './dialect.ts';
import { isJsonObject, objectOf, withoutField } from './entry-fields.ts';
import type { Json, JsonObject } from '../../base/json.ts';

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'stdio', http: 'http', sse: 'sse' },
    placeholders: shellSyntax,
  },
  offFiles: claudeSwitches,
  places: (machine) => {
    const own = join(machine.env['CLAUDE_CONFIG_DIR'] ?? machine.home, '.claude.json');
    return [
      jsonPlace('user', own, 'mcpServers'),
      jsonPlace('local', own, 'projects', EACH, 'mcpServers'),
      jsonPlace('project', join(machine.cwd, '.mcp.json'), 'mcpServers'),
      jsonPlace('managed', managedFile(machine), 'mcpServers'),
    ];
  },
  mistakes: ({ home, cwd }) => [
    ...mistakesAt(
      'Claude Code reads servers from ~/.claude.json and .mcp.json, never from its settings.',
      ...['settings.json', 'settings.local.json'].flatMap((file) =>
        [home, cwd].map((folder) => join(folder, '.claude', file)),
      ),
    ),
    ...mistakesAt(
      "Claude Code reads .mcp.json in the project's own folder only.",
      ...inFolders(
        [join(home, '.claude'), join(cwd, '.claude')],
        ['.mcp.json', 'mcp.json', 'mcp_servers.json'],
      ),
    ),
  ],
};

function managedFile({ platform, env }: Machine): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-mcp.json';
  if (platform === 'win32')
    return join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode', 'managed-mcp.json');
  return '/etc/claude-code/managed-mcp.json';
}

export const copilotCli: Client = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'local', http: 'http', sse: 'sse' },
    // Its versions differ in whether they fill these in.
    placeholders: bareSyntax,
    allowTools: 'tools',
    // Without the list it offers no tools.
    afterWrite: (entry) => ({ entry: { ...entry, tools: entry['tools'] ?? ['*'] }, warnings: [] }),
  },
  places: ({ home, cwd, env }) => [
    jsonPlace('user', join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'mcp-config.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.mcp.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.github', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: ({ home, env }) =>
    mistakesAt(
      'Copilot CLI reads servers from mcp-config.json.',
      ...inFolders(
        [env['COPILOT_HOME'] ?? join(home, '.copilot')],
        ['mcp.json', 'config.json', 'settings.json'],
      ),
    ),
};

/** `${VAR}` and `$VAR`; a literal dollar can't be written. */
const geminiSyntax: PlaceholderSyntax = {
  pattern: /\$\{(?<env>[A-Za-z_]\w*)\}|\$(?<env2>[A-Za-z_]\w*)/g,
  write: ({ kind, name }) => (kind === 'env' ? `\${${name}}` : undefined),
};

export const geminiCli: Client = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: null, http: 'http', sse: 'sse' },
    placeholders: geminiSyntax,
    callTimeout: { field: 'timeout', unitMs: 1 },
    allowTools: 'includeTools',
    denyTools: 'excludeTools',
  },
  places: ({ home, cwd }) => [
    jsonPlace('user', join(home, '.gemini', 'settings.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.gemini', 'settings.json'), 'mcpServers'),
    inEachPlace(join(home, '.gemini', 'extensions'), 'gemini-extension.json', 'mcpServers'),
  ],
  offFiles: geminiSwitches,
  variables: geminiVariables,
  notes: ({ authProviderType: type }) =>
    type === 'google_credentials' || type === 'service_account_impersonation'
      ? [
          'Gemini CLI signs in to it with your Google credentials. Plugboard does not, and needs no key for it.',
        ]
      : [],
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Gemini CLI reads servers from .gemini/settings.json.',
      ...inFolders(
        [join(home, '.gemini'), join(cwd, '.gemini')],
        ['mcp.json', 'config.json', 'mcp_config.json'],
      ),
    ),
};

const opencodeSyntax: PlaceholderSyntax = {
  pattern: /\{env:(?<env>[A-Za-z_]\w*)\}|\{file:(?<file>[^}$]+)\}/g,
  write: ({ kind, name }) => (kind === 'env' || kind === 'file' ? `{${kind}:${name}}` : undefined),
};

export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  dialect: {
    ...standardDialect,
    fields: { command: 'command', env: 'environment', url: 'url', headers: 'headers' },
    kinds: { stdio: 'local', http: 'remote', sse: 'remote' },
    placeholders: opencodeSyntax,
    off: { field: 'enabled', value: false },
    startTimeout: { field: 'timeout', unitMs: 1 },
    // Its second format nests the servers one level deeper.
    isServer: (entry, key) =>
      !['servers', 'timeout'].includes(key) || (isJsonObject(entry) && 'type' in entry),
  },
  places: (machine) => {
    const user = join(configFolder(machine), 'opencode');
    const places = (scope: 'user' | 'project', folder: string, files: readonly string[]) =>
      files.flatMap((file) => [
        jsonPlace(scope, join(folder, file), 'mcp'),
        jsonPlace(scope, join(folder, file), 'mcp', 'servers'),
      ]);
    return [
      ...places('user', user, ['opencode.json', 'opencode.jsonc', 'config.json']),
      ...places('project', machine.cwd, ['opencode.json', 'opencode.jsonc']),
      ...places('project', join(machine.cwd, '.opencode'), ['opencode.json', 'opencode.jsonc']),
    ];
  },
  mistakes: (machine) =>
    mistakesAt(
      'opencode reads servers from opencode.json, under “mcp”.',
      join(configFolder(machine), 'opencode', 'mcp.json'),
      join(machine.home, '.opencode', 'config.json'),
      join(machine.cwd, '.opencode', 'mcp.json'),
    ),
};

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd', headers: 'http_headers' },
    placeholders: { ...bareSyntax, fields: ['env', 'headers'] },
    off: { field: 'enabled', value: false },
    startTimeout: { field: 'startup_timeout_sec', unitMs: 1_000 },
    callTimeout: { field: 'tool_timeout_sec', unitMs: 1_000 },
    allowTools: 'enabled_tools',
    denyTools: 'disabled_tools',
    afterWrite: toVariables,
  },
  places: ({ home, cwd, env }) => [
    tomlPlace('user', join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'), 'mcp_servers'),
    tomlPlace('project', join(cwd, '.codex', 'config.toml'), 'mcp_servers'),
  ],
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Codex reads servers from config.toml.',
      ...inFolders(
        [join(home, '.codex'), join(cwd, '.codex')],
        ['mcp.json', 'config.json', 'mcp_servers.json'],
      ),
    ),
};

/** Codex has no placeholders: fields of their own name the variables. */
function toVariables(entry: JsonObject): AfterWrite {
  const warnings: string[] = [];
  const env = Object.entries(objectOf(entry['env']));
  const passed = env.filter(([key, value]) => value === `\${${key}}`);
  const fixed = env.filter(([key, value]) => value !== `\${${key}}`);
  const headers = Object.entries(objectOf(entry['http_headers']));
  const nameOf = (value: Json | undefined, prefix: RegExp): string | undefined =>
    typeof value === 'string' ? prefix.exec(value)?.[1] : undefined;
  const bearer = headers.find(([key, value]) => /^authorization$/i.test(key) && nameOf(value, BEARER));
  const named = headers.filter(([, value]) => nameOf(value, WHOLE));
  const plain = headers.filter((header) => header !== bearer && !named.includes(header));
  for (const [key, value] of [...fixed, ...plain]) {
    if (typeof value === 'string' && value.includes('${'))
      warnings.push(`Codex can’t fill in “${value}” for ${key}; put the value there by hand.`);
  }
  const rest = withoutField(withoutField(entry, 'env'), 'http_headers');
  const kept = Array.isArray(entry['env_vars']) ? entry['env_vars'] : [];
  const names = [...kept, ...passed.map(([key]) => key)];
  return {
    warnings,
    entry: {
      ...rest,
      ...(fixed.length > 0 ? { env: Object.fromEntries(fixed) } : {}),
      ...(names.length > 0 ? { env_vars: names } : {}),
      ...(plain.length > 0 ? { http_headers: Object.fromEntries(plain) } : {}),
      ...(bearer ? { bearer_token_env_var: nameOf(bearer[1], BEARER) } : {}),
      ...(named.length > 0
        ? { env_http_headers: Object.fromEntries(named.map(([key, value]) => [key, nameOf(value, WHOLE)])) }
        : {}),
    },
  };
}

const BEARER = /^Bearer \$\{(\w+)\}$/;
const WHOLE = /^\$\{(\w+)\}$/;
