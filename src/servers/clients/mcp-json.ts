import { join } from 'node:path';
import type { Client } from './client.ts';
import { configFolder, jsonPlace } from './places.ts';
import { shellSyntax, type PlaceholderSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

/** Our own placeholders and those that are in common use. */
const anySyntax: PlaceholderSyntax = {
  pattern: new RegExp(
    String.raw`${shellSyntax.pattern.source}|\$\{env:(?<env2>\w+)\}|\$\{input:(?<input>[\w.-]+)\}|\$\{file:(?<file>[^}$]+)\}|\$\{vault:(?<vault>[\w./:@-]+)\}`,
    'g',
  ),
  write: ({ text }) => text,
};

/** The shape that belongs to no client in particular. */
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
