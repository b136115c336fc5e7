import { isObject } from '../../base/json.ts';

export function dialectOf(container: string | null, root: unknown, syntax: 'json' | 'toml' | 'yaml'): string {
  const key = (container ?? '').toLowerCase();
  if (container === null)
    return syntax === 'json' ? 'a server entry in JSON' : `a server entry in ${syntax.toUpperCase()}`;
  if (syntax === 'toml') return key === 'mcp_servers' ? 'Codex config.toml' : 'TOML';
  if (key === 'extensions') return 'goose config.yaml';
  if (syntax === 'yaml') return yamlDialect(key, root);
  return BY_KEY[key] ?? byFields(root);
}

const BY_KEY: Readonly<Record<string, string>> = {
  servers: 'VS Code mcp.json',
  'mcp.servers': 'VS Code settings.json',
  context_servers: 'Zed settings.json',
  mcp: 'opencode.json',
  'amp.mcpservers': 'Amp settings.json',
  mcp_servers: 'an API request with MCP servers',
};

/** `mcpServers` is shared: fields of their own tell clients apart. */
const BY_FIELD: readonly (readonly [string, string])[] = [
  ['httpUrl', 'Gemini CLI settings.json'],
  ['trust', 'Gemini CLI settings.json'],
  ['serverUrl', 'Windsurf mcp_config.json'],
  ['autoApprove', 'Cline mcp settings'],
  ['alwaysAllow', 'Roo mcp_settings.json'],
  ['isActive', 'Cherry Studio mcp.json'],
  ['headersHelper', 'Claude Code .mcp.json'],
];

function byFields(root: unknown): string {
  if (isObject(root) && isObject(root['projects'])) return 'Claude Code .claude.json';
  const entries =
    isObject(root) && isObject(root['mcpServers']) ? Object.values(root['mcpServers']).filter(isObject) : [];
  const match = BY_FIELD.find(([field]) => entries.some((entry) => Object.hasOwn(entry, field)));
  return match?.[1] ?? 'mcp.json (mcpServers)';
}

function yamlDialect(key: string, root: unknown): string {
  if (key !== 'mcpservers' || !isObject(root)) return 'YAML';
  return Array.isArray(root['mcpServers']) ? 'Continue config.yaml' : 'LibreChat librechat.yaml';
}
