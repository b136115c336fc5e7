import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake } from './places.ts';
import { editorSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, url: 'serverUrl' },
    placeholders: editorSyntax(['env', 'file']),
    off: { field: 'disabled', value: true },
  },
  places: ({ home }) => [
    jsonPlace('user', join(home, '.codeium', 'windsurf', 'mcp_config.json'), 'mcpServers'),
    jsonPlace('user', join(home, '.codeium', 'mcp_config.json'), 'mcpServers'),
  ],
  mistakes: ({ home, cwd }) => {
    const why = 'Windsurf reads servers from ~/.codeium/windsurf/mcp_config.json.';
    return [
      mistake(join(home, '.codeium', 'windsurf', 'mcp.json'), why),
      mistake(join(home, '.windsurf', 'mcp.json'), why),
      mistake(join(cwd, '.windsurf', 'mcp.json'), why),
    ];
  },
};
