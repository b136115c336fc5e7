import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { Client, Machine } from './client.ts';
import { isJsonObject } from './entry-fields.ts';
import { configFolder, jsonPlace, mistake, settingsFolder } from './places.ts';
import { standardDialect } from './standard-dialect.ts';

export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  dialect: {
    ...standardDialect,
    off: { field: 'enabled', value: false },
    // An extension of Zed brings its own command; only its settings stand here.
    isServer: (entry) =>
      !isJsonObject(entry) || 'command' in entry || 'url' in entry || !('settings' in entry),
    beforeRead: flatCommand,
  },
  places: (machine) => [
    jsonPlace('user', join(folderOf(machine), 'settings.json'), 'context_servers'),
    jsonPlace('project', join(machine.cwd, '.zed', 'settings.json'), 'context_servers'),
  ],
  mistakes: (machine) => {
    const why = 'Zed reads servers from settings.json, under “context_servers”.';
    return [
      mistake(join(folderOf(machine), 'mcp.json'), why),
      mistake(join(machine.cwd, '.zed', 'mcp.json'), why),
      mistake(join(machine.home, '.zed', 'settings.json'), why),
    ];
  },
};

function folderOf(machine: Machine): string {
  return machine.platform === 'win32'
    ? join(settingsFolder(machine), 'Zed')
    : join(configFolder(machine), 'zed');
}

/** Older files say `"command": {"path", "args", "env"}`. */
function flatCommand(entry: JsonObject): JsonObject {
  const { command, ...others } = entry;
  if (!isJsonObject(command)) return entry;
  const { path, ...rest } = command;
  return { ...others, ...rest, ...(path === undefined ? {} : { command: path }) };
}
