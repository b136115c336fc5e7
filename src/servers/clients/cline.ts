import { join } from 'node:path';
import type { Client, Machine } from './client.ts';
import { jsonPlace, mistake, settingsFolder } from './places.ts';
import { editorSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

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
  places: (machine) =>
    extensionFolders(machine, 'saoudrizwan.claude-dev').map((folder) =>
      jsonPlace('user', join(folder, 'settings', 'cline_mcp_settings.json'), 'mcpServers'),
    ),
  mistakes: ({ home, cwd }) => {
    const why = "Cline reads servers from cline_mcp_settings.json in its editor's storage.";
    return [
      mistake(join(home, '.cline', 'mcp.json'), why),
      mistake(join(cwd, '.cline', 'mcp.json'), why),
      mistake(join(cwd, 'cline_mcp_settings.json'), why),
    ];
  },
};

/** Where an extension keeps its files, in each editor of the family that can hold it. */
export function extensionFolders(machine: Machine, extension: string): readonly string[] {
  return ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map((product) =>
    join(settingsFolder(machine), product, 'User', 'globalStorage', extension),
  );
}
