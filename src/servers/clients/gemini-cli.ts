import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake } from './places.ts';
import type { PlaceholderSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

/** `${VAR}` and `$VAR`; there is no way to write a dollar that stands for itself. */
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
    offList: ['mcp', 'excluded'],
    callTimeout: { field: 'timeout', unitMs: 1 },
    allowTools: 'includeTools',
    denyTools: 'excludeTools',
  },
  places: ({ home, cwd }) => [
    jsonPlace('user', join(home, '.gemini', 'settings.json'), 'mcpServers'),
    jsonPlace('project', join(cwd, '.gemini', 'settings.json'), 'mcpServers'),
  ],
  mistakes: ({ home, cwd }) =>
    [home, cwd].flatMap((folder) =>
      ['mcp.json', 'config.json', 'mcp_config.json'].map((file) =>
        mistake(join(folder, '.gemini', file), 'Gemini CLI reads servers from .gemini/settings.json.'),
      ),
    ),
};
