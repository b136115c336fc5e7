import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { Client, Machine } from './client.ts';
import { type AfterWrite, standardDialect, type PlaceholderSyntax } from './dialect.ts';
import { isJsonObject, objectOf } from './entry-fields.ts';
import { configFolder, inFolders, mistakesAt, settingsFolder, yamlPlace } from './places.ts';

/** Filled in URLs and headers only; a local server's variables are in `env_keys`. */
const gooseSyntax: PlaceholderSyntax = {
  pattern: /\$\{(?<env>[A-Za-z_]\w*)\}|\$(?<env2>[A-Za-z_]\w*)/g,
  write: ({ kind, name }) => (kind === 'env' ? `\${${name}}` : undefined),
  fields: ['url', 'headers', 'env'],
};

export const goose: Client = {
  name: 'goose',
  title: 'goose',
  dialect: {
    ...standardDialect,
    fields: { command: 'cmd', args: 'args', env: 'envs', url: 'uri', headers: 'headers' },
    kinds: { stdio: 'stdio', http: 'streamable_http' },
    placeholders: gooseSyntax,
    name: 'name',
    off: { field: 'enabled', value: false },
    callTimeout: { field: 'timeout', unitMs: 1_000 },
    allowTools: 'available_tools',
    // goose's own extensions are in the same map.
    isServer: (entry) =>
      !isJsonObject(entry) || !['builtin', 'platform', 'frontend'].some((type) => type === entry['type']),
    afterWrite: toKeys,
  },
  leftOut: (entry) =>
    isJsonObject(entry) && entry['type'] === 'inline_python'
      ? 'Its Python code is inside the entry, and only goose can run it.'
      : undefined,
  places: (machine) => [yamlPlace('user', join(folderOf(machine), 'config.yaml'), 'extensions')],
  mistakes: (machine) => {
    const why = 'goose reads servers from config.yaml, under “extensions”.';
    return [
      ...mistakesAt(why, ...inFolders([folderOf(machine)], ['mcp.json', 'config.json'])),
      { path: join(machine.home, '.goose', 'config.yaml'), why, syntax: 'yaml' },
    ];
  },
};

function folderOf(machine: Machine): string {
  if (machine.platform === 'win32') return join(settingsFolder(machine), 'Block', 'goose', 'config');
  return join(configFolder(machine), 'goose');
}

function toKeys(entry: JsonObject): AfterWrite {
  const { envs, name, type, enabled, ...rest } = entry;
  const pairs = Object.entries(objectOf(envs));
  const passed = pairs.filter(([key, value]) => value === `\${${key}}`).map(([key]) => key);
  const fixed = pairs.filter(([key]) => !passed.includes(key));
  const bad = fixed.filter(([, value]) => typeof value === 'string' && value.includes('${'));
  return {
    warnings: bad.map(
      ([key, value]) =>
        `goose can’t fill in ${JSON.stringify(value)} for ${key}; put the value there by hand.`,
    ),
    entry: {
      name,
      type,
      ...rest,
      ...(fixed.length > 0 ? { envs: Object.fromEntries(fixed) } : {}),
      ...(passed.length > 0 ? { env_keys: passed } : {}),
      enabled: enabled ?? true,
    },
  };
}
