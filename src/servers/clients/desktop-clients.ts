import { join } from 'node:path';
import type { Client } from './client.ts';
import { configFolder, jsonPlace, mistakesAt, settingsFolder, yamlPlace } from './places.ts';
import { standardDialect, type PlaceholderSyntax, shellSyntax } from './dialect.ts';

const DESKTOP_FILE = 'claude_desktop_config.json';

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  // Its file takes local servers only.
  dialect: { ...standardDialect, kinds: { stdio: null } },
  places: (machine) => [
    jsonPlace('user', join(settingsFolder(machine), 'Claude', DESKTOP_FILE), 'mcpServers'),
  ],
  mistakes: (machine) =>
    mistakesAt(
      `Claude Desktop reads only ${join(settingsFolder(machine), 'Claude', DESKTOP_FILE)}.`,
      join(machine.home, DESKTOP_FILE),
      join(machine.home, '.claude', DESKTOP_FILE),
      join(settingsFolder(machine), 'Claude', 'config.json'),
    ),
};

export const lmStudio: Client = {
  name: 'lm-studio',
  title: 'LM Studio',
  dialect: standardDialect,
  places: ({ home }) => [
    jsonPlace('user', join(home, '.lmstudio', 'mcp.json'), 'mcpServers'),
    jsonPlace('user', join(home, '.cache', 'lm-studio', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: ({ home }) =>
    mistakesAt(
      'LM Studio reads servers from ~/.lmstudio/mcp.json.',
      join(home, '.lmstudio', 'settings.json'),
    ),
};

const libreChatSyntax: PlaceholderSyntax = {
  pattern: /\$\{(?<env>[A-Za-z_]\w*)\}|\{\{(?<input>[A-Za-z_]\w*)\}\}/g,
  write: ({ kind, name }) => {
    if (kind === 'env') return `\${${name}}`;
    return kind === 'input' && /^[A-Za-z_]\w*$/.test(name) ? `{{${name}}}` : undefined;
  },
};

export const libreChat: Client = {
  name: 'librechat',
  title: 'LibreChat',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'stdio', http: 'streamable-http', sse: 'sse', ws: 'websocket' },
    placeholders: libreChatSyntax,
    startTimeout: { field: 'initTimeout', unitMs: 1 },
    callTimeout: { field: 'timeout', unitMs: 1 },
  },
  places: ({ cwd, env }) => {
    const named = env['CONFIG_PATH'];
    const path = named?.endsWith('.yaml') && named.startsWith('/') ? named : join(cwd, 'librechat.yaml');
    return [yamlPlace('project', path, 'mcpServers')];
  },
  mistakes: ({ cwd }) => {
    const why = 'LibreChat reads librechat.yaml.';
    return [
      { path: join(cwd, 'librechat.yml'), why, syntax: 'yaml' },
      { path: join(cwd, 'librechat.json'), why, syntax: 'json' },
    ];
  },
};

const anySyntax: PlaceholderSyntax = {
  pattern: new RegExp(
    String.raw`${shellSyntax.pattern.source}|\$\{env:(?<env2>\w+)\}|\$\{input:(?<input>[\w.-]+)\}|\$\{file:(?<file>[^}$]+)\}|\$\{vault:(?<vault>[\w./:@-]+)\}`,
    'g',
  ),
  write: ({ text }) => text,
};

export const mcpJson: Client = {
  name: 'mcp-json',
  title: 'mcp.json',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: null, http: 'http', sse: 'sse', ws: 'ws' },
    placeholders: anySyntax,
    off: { field: 'disabled', value: true },
  },
  places: (machine) => [
    jsonPlace('project', join(machine.cwd, 'mcp.json'), 'mcpServers'),
    jsonPlace('user', join(configFolder(machine), 'mcp', 'mcp.json'), 'mcpServers'),
    jsonPlace('user', join(machine.home, 'mcp.json'), 'mcpServers'),
    jsonPlace('user', join(machine.home, '.mcp-inspector', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: () => [],
};
