import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { Client } from './client.ts';
import type { FileContext } from './dialect.ts';
import { jsonPlace, mistake, settingsFolder } from './places.ts';
import { editorSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd' },
    kinds: { stdio: 'stdio', http: 'http', sse: 'sse' },
    placeholders: editorSyntax(['env', 'input']),
    beforeRead: withItsInputs,
  },
  places: (machine) => {
    const { cwd } = machine;
    const inContainer = ['customizations', 'vscode', 'mcp', 'servers'];
    return [
      ...['Code', 'Code - Insiders', 'VSCodium'].map((product) =>
        jsonPlace('user', join(settingsFolder(machine), product, 'User', 'mcp.json'), 'servers'),
      ),
      jsonPlace('project', join(cwd, '.vscode', 'mcp.json'), 'servers'),
      jsonPlace('devcontainer', join(cwd, '.devcontainer', 'devcontainer.json'), ...inContainer),
      jsonPlace('devcontainer', join(cwd, '.devcontainer.json'), ...inContainer),
    ];
  },
  mistakes: (machine) => {
    const why = 'VS Code reads servers from mcp.json, under “servers”, no longer from its settings.';
    return [
      mistake(join(settingsFolder(machine), 'Code', 'User', 'settings.json'), why),
      mistake(join(machine.cwd, '.vscode', 'settings.json'), why),
    ];
  },
};

/** Questions stand once at the top of the file; each server takes along those that it needs. */
function withItsInputs(entry: JsonObject, { inputs }: FileContext): JsonObject {
  const text = JSON.stringify(entry);
  const used = inputs.filter(({ id }) => typeof id === 'string' && text.includes(`\${input:${id}}`));
  return used.length > 0 ? { ...entry, inputs: used } : entry;
}
