import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake, settingsFolder } from './places.ts';
import { editorSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  dialect: {
    ...standardDialect,
    kinds: { stdio: null, http: null, sse: 'sse' },
    placeholders: editorSyntax(['env']),
  },
  places: ({ home, cwd }) => [
    jsonPlace('user', join(home, '.cursor', 'mcp.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.cursor', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: (machine) => {
    const why = 'Cursor reads servers from ~/.cursor/mcp.json and .cursor/mcp.json, never from its settings.';
    return [
      mistake(join(settingsFolder(machine), 'Cursor', 'User', 'settings.json'), why),
      mistake(join(machine.home, '.cursor', 'settings.json'), why),
      mistake(join(machine.cwd, '.cursor', 'settings.json'), why),
    ];
  },
};
