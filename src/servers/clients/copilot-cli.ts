import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake } from './places.ts';
import { bareSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

export const copilotCli: Client = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'local', http: 'http', sse: 'sse' },
    // Its versions differ in whether they fill these in.
    placeholders: bareSyntax,
    allowTools: 'tools',
    // Without the list it offers no tool at all.
    afterWrite: (entry) => ({ entry: { ...entry, tools: entry['tools'] ?? ['*'] }, warnings: [] }),
  },
  places: ({ home, cwd, env }) => [
    jsonPlace('user', join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'mcp-config.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.mcp.json'), 'mcpServers'),
  ],
  mistakes: ({ home, env }) => {
    const folder = env['COPILOT_HOME'] ?? join(home, '.copilot');
    const why = 'Copilot CLI reads servers from mcp-config.json.';
    return ['mcp.json', 'config.json', 'settings.json'].map((file) => mistake(join(folder, file), why));
  },
};
