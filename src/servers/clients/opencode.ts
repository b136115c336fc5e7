import { join } from 'node:path';
import type { Client } from './client.ts';
import { isJsonObject } from './entry-fields.ts';
import { configFolder, jsonPlace, mistake } from './places.ts';
import type { PlaceholderSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

/** `{env:VAR}` and `{file:path}`. */
const opencodeSyntax: PlaceholderSyntax = {
  pattern: /\{env:(?<env>[A-Za-z_]\w*)\}|\{file:(?<file>[^}$]+)\}/g,
  write: ({ kind, name }) => (kind === 'env' || kind === 'file' ? `{${kind}:${name}}` : undefined),
};

export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  dialect: {
    ...standardDialect,
    fields: { command: 'command', env: 'environment', url: 'url', headers: 'headers' },
    kinds: { stdio: 'local', http: 'remote', sse: 'remote' },
    placeholders: opencodeSyntax,
    off: { field: 'enabled', value: false },
    startTimeout: { field: 'timeout', unitMs: 1 },
    // Its second format has the servers one level deeper, with settings for all beside them.
    isServer: (entry, key) =>
      !['servers', 'timeout'].includes(key) || (isJsonObject(entry) && 'type' in entry),
  },
  places: (machine) => {
    const user = join(configFolder(machine), 'opencode');
    const places = (scope: 'user' | 'project', folder: string, files: readonly string[]) =>
      files.flatMap((file) => [
        jsonPlace(scope, join(folder, file), 'mcp'),
        jsonPlace(scope, join(folder, file), 'mcp', 'servers'),
      ]);
    return [
      ...places('user', user, ['opencode.json', 'opencode.jsonc', 'config.json']),
      ...places('project', machine.cwd, ['opencode.json', 'opencode.jsonc']),
      ...places('project', join(machine.cwd, '.opencode'), ['opencode.json', 'opencode.jsonc']),
    ];
  },
  mistakes: (machine) => {
    const why = 'opencode reads servers from opencode.json, under “mcp”.';
    return [
      mistake(join(configFolder(machine), 'opencode', 'mcp.json'), why),
      mistake(join(machine.home, '.opencode', 'config.json'), why),
      mistake(join(machine.cwd, '.opencode', 'mcp.json'), why),
    ];
  },
};
