import { join } from 'node:path';
import { EACH, type Client, type Machine } from './client.ts';
import { jsonPlace, mistake } from './places.ts';
import { shellSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'stdio', http: 'http', sse: 'sse' },
    placeholders: shellSyntax,
    offList: ['disabledMcpServers'],
  },
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
    ...['settings.json', 'settings.local.json'].flatMap((file) =>
      [home, cwd].map((folder) =>
        mistake(
          join(folder, '.claude', file),
          'Claude Code reads servers from ~/.claude.json and .mcp.json, never from its settings.',
        ),
      ),
    ),
    ...[join(home, '.claude'), join(cwd, '.claude')].flatMap((folder) =>
      ['.mcp.json', 'mcp.json', 'mcp_servers.json'].map((file) =>
        mistake(join(folder, file), "Claude Code reads .mcp.json in the project's own folder only."),
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
