import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake, yamlPlace } from './places.ts';
import type { PlaceholderSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

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
  mistakes: ({ home, cwd }) => {
    const why = 'Continue reads servers from config.yaml and .continue/mcpServers.';
    return [
      mistake(join(home, '.continue', 'config.json'), why),
      mistake(join(home, '.continue', 'mcp.json'), why),
      mistake(join(cwd, '.continue', 'mcp.json'), why),
    ];
  },
};
