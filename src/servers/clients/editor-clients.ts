import { join } from 'node:path';
import type { Client, Machine } from './client.ts';
import { editorVariables } from './client-variables.ts';
import {
  configFolder,
  inEachPlace,
  inFolders,
  jsonPlace,
  mistakesAt,
  settingsFolder,
  yamlPlace,
} from './places.ts';
import { type PlaceholderSyntax, editorSyntax, standardDialect } from './dialect.ts';
import { isJsonObject } from './entry-fields.ts';

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  dialect: {
    ...standardDialect,
    kinds: { stdio: null, http: null, sse: 'sse' },
    placeholders: editorSyntax(['env']),
  },
  variables: editorVariables,
  places: ({ home, cwd }) => [
    jsonPlace('user', join(home, '.cursor', 'mcp.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.cursor', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: (machine) =>
    mistakesAt(
      'Cursor reads servers from ~/.cursor/mcp.json and .cursor/mcp.json, never from its settings.',
      join(settingsFolder(machine), 'Cursor', 'User', 'settings.json'),
      join(machine.home, '.cursor', 'settings.json'),
      join(machine.cwd, '.cursor', 'settings.json'),
    ),
};

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: 'stdio', http: 'http', sse: 'sse' },
    placeholders: editorSyntax(['env', 'input']),
  },
  variables: editorVariables,
  notes: ({ sandboxEnabled }) =>
    sandboxEnabled === true
      ? ['VS Code runs it in a sandbox. Plugboard has none: here it runs with your permissions.']
      : [],
  places: (machine) => {
    const { cwd } = machine;
    const inContainer = ['customizations', 'vscode', 'mcp', 'servers'];
    const user = ['Code', 'Code - Insiders', 'VSCodium'].map((product) =>
      join(settingsFolder(machine), product, 'User'),
    );
    return [
      ...user.map((folder) => jsonPlace('user', join(folder, 'mcp.json'), 'servers')),
      ...user.map((folder) => inEachPlace(join(folder, 'profiles'), 'mcp.json', 'servers')),
      jsonPlace('project', join(cwd, '.vscode', 'mcp.json'), 'servers'),
      jsonPlace('devcontainer', join(cwd, '.devcontainer', 'devcontainer.json'), ...inContainer),
      jsonPlace('devcontainer', join(cwd, '.devcontainer.json'), ...inContainer),
    ];
  },
  mistakes: (machine) =>
    mistakesAt(
      'VS Code reads servers from mcp.json, under “servers”, no longer from its settings.',
      join(settingsFolder(machine), 'Code', 'User', 'settings.json'),
      join(machine.cwd, '.vscode', 'settings.json'),
    ),
};

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, url: 'serverUrl' },
    placeholders: editorSyntax(['env', 'file']),
    off: { field: 'disabled', value: true },
    denyTools: 'disabledTools',
  },
  places: ({ home }) => [
    jsonPlace('user', join(home, '.codeium', 'windsurf', 'mcp_config.json'), 'mcpServers'),
    jsonPlace('user', join(home, '.codeium', 'mcp_config.json'), 'mcpServers'),
  ],
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Windsurf reads servers from ~/.codeium/windsurf/mcp_config.json.',
      join(home, '.codeium', 'windsurf', 'mcp.json'),
      join(home, '.windsurf', 'mcp.json'),
      join(cwd, '.windsurf', 'mcp.json'),
    ),
};

export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  dialect: {
    ...standardDialect,
    off: { field: 'enabled', value: false },
    callTimeout: { field: 'timeout', unitMs: 1_000 },
  },
  // A Zed extension brings its own command; only its settings are here.
  leftOut: (entry) =>
    isJsonObject(entry) &&
    (entry['source'] === 'extension' || ('settings' in entry && !('command' in entry || 'url' in entry)))
      ? 'A Zed extension brings this server along, and only Zed can start it. Add the server itself instead.'
      : undefined,
  places: (machine) => [
    jsonPlace('user', join(folderOf(machine), 'settings.json'), 'context_servers'),
    jsonPlace('project', join(machine.cwd, '.zed', 'settings.json'), 'context_servers'),
  ],
  mistakes: (machine) =>
    mistakesAt(
      'Zed reads servers from settings.json, under “context_servers”.',
      join(folderOf(machine), 'mcp.json'),
      join(machine.cwd, '.zed', 'mcp.json'),
      join(machine.home, '.zed', 'settings.json'),
    ),
};

function folderOf(machine: Machine): string {
  return machine.platform === 'win32'
    ? join(settingsFolder(machine), 'Zed')
    : join(configFolder(machine), 'zed');
}

export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: 'stdio', http: 'streamableHttp', sse: 'sse' },
    placeholders: editorSyntax(['env']),
    off: { field: 'disabled', value: true },
    callTimeout: { field: 'timeout', unitMs: 1_000 },
  },
  places: (machine) => {
    const file = 'cline_mcp_settings.json';
    const named = machine.env['CLINE_MCP_SETTINGS_PATH'];
    return [
      ...(named === undefined ? [] : [named]),
      ...extensionFolders(machine, 'saoudrizwan.claude-dev').map((folder) => join(folder, 'settings', file)),
      join(machine.home, '.cline', 'data', 'settings', file),
    ].map((path) => jsonPlace('user', path, 'mcpServers'));
  },
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Cline reads servers from cline_mcp_settings.json in its own storage.',
      join(home, '.cline', 'mcp.json'),
      join(cwd, '.cline', 'mcp.json'),
      join(cwd, 'cline_mcp_settings.json'),
    ),
};

function extensionFolders(machine: Machine, extension: string): readonly string[] {
  return ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map((product) =>
    join(settingsFolder(machine), product, 'User', 'globalStorage', extension),
  );
}

export const roo: Client = {
  name: 'roo',
  title: 'Roo Code',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: 'stdio', http: 'streamable-http', sse: 'sse' },
    placeholders: editorSyntax(['env']),
    off: { field: 'disabled', value: true },
    callTimeout: { field: 'timeout', unitMs: 1_000 },
    denyTools: 'disabledTools',
  },
  places: (machine) => [
    ...extensionFolders(machine, 'rooveterinaryinc.roo-cline').map((folder) =>
      jsonPlace('user', join(folder, 'settings', 'mcp_settings.json'), 'mcpServers'),
    ),
    jsonPlace('project', join(machine.cwd, '.roo', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: ({ cwd }) =>
    mistakesAt(
      "Roo Code reads a project's servers from .roo/mcp.json.",
      ...inFolders([join(cwd, '.roo')], ['mcp_settings.json', 'settings.json']),
    ),
};

/** `${{ secrets.NAME }}` and `${{ inputs.NAME }}`. */
const continueSyntax: PlaceholderSyntax = {
  pattern: /\$\{\{ *(?:secrets\.(?<vault>[\w./:@-]+)|inputs\.(?<input>[\w.-]+)) *\}\}/g,
  write: ({ kind, name }) => {
    if (kind === 'vault') return `\${{ secrets.${name} }}`;
    return kind === 'input' ? `\${{ inputs.${name} }}` : undefined;
  },
};

export const continueDev: Client = {
  name: 'continue',
  title: 'Continue',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd', headers: 'requestOptions.headers' },
    kinds: { stdio: 'stdio', http: 'streamable-http', sse: 'sse' },
    placeholders: continueSyntax,
    name: 'name',
    startTimeout: { field: 'connectionTimeout', unitMs: 1 },
    afterWrite: ({ name, ...entry }) => ({ entry: { name, ...entry }, warnings: [] }),
  },
  places: ({ home, cwd }) => [
    { ...yamlPlace('user', join(home, '.continue', 'config.yaml'), 'mcpServers'), list: true },
    ...(['user', 'project'] as const).flatMap((scope) => {
      const folder = join(scope === 'user' ? home : cwd, '.continue', 'mcpServers');
      return [
        { ...yamlPlace(scope, folder, 'mcpServers'), list: true as const, endings: ['.yaml', '.yml'] },
        { ...jsonPlace(scope, folder, 'mcpServers'), endings: ['.json'] },
      ];
    }),
  ],
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Continue reads servers from config.yaml and .continue/mcpServers.',
      join(home, '.continue', 'config.json'),
      join(home, '.continue', 'mcp.json'),
      join(cwd, '.continue', 'mcp.json'),
    ),
};
