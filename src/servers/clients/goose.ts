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
      !isJsonObject(entry) ||
      !['builtin', 'platform', 'frontend', 'inline_python'].some((type) => type === entry['type']),
    beforeRead: fromKeys,
    afterWrite: toKeys,
  },
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

function fromKeys(entry: JsonObject): JsonObject {
  const { env_keys: keys, ...others } = entry;
  const names = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  const envs = Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
  // An empty list allows all tools.
  const { available_tools: tools, ...rest } = others;
  const all = Array.isArray(tools) && tools.length === 0;
  return {
    ...(all ? rest : others),
    ...(names.length > 0 ? { envs: { ...objectOf(entry['envs']), ...envs } } : {}),
  };
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
        `goose cannot fill in ${JSON.stringify(value)} for ${key}; put the value there by hand.`,
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
