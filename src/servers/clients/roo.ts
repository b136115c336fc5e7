import { join } from 'node:path';
import type { Client } from './client.ts';
import { extensionFolders } from './cline.ts';
import { jsonPlace, mistake } from './places.ts';
import { editorSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

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
    ['mcp_settings.json', 'settings.json'].map((file) =>
      mistake(join(cwd, '.roo', file), "Roo Code reads a project's servers from .roo/mcp.json."),
    ),
};
