import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import type { Json, JsonObject } from '../base/json.ts';
import type { Syntax } from '../servers/clients/documents/document.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Client } from '../servers/clients/client.ts';
import { clientNamed } from '../servers/clients/clients.ts';
import { writeEntry } from '../servers/clients/write-entry.ts';
import { deepLinks } from './deep-links.ts';
import { inputsOf } from './vscode-inputs.ts';

export interface Exported {
  readonly text: string;
  /** What the target cannot say, one sentence each. */
  readonly warnings: readonly string[];
}

/** A server in another client's words: the text for its file, or links that install it. */
export function exportServer(definition: ServerDefinition, target: string): Exported {
  if (target === 'deeplink') return deepLinks(definition);
  const client = clientNamed(target);
  const { entry, warnings } = writeEntry(client, definition);
  return { text: render(client, definition, entry), warnings };
}

function render(client: Client, definition: ServerDefinition, entry: JsonObject): string {
  const [place] = client.places({ home: '/', cwd: '/', env: {}, platform: 'linux' });
  const { container = ['mcpServers'], syntax = 'json', list = false } = place ?? {};
  const { inputs, ...rest } = entry;
  const asked = client.name === 'vscode' ? inputsOf(definition, inputs) : [];
  const own = client.name === 'vscode' ? rest : entry;
  const servers: JsonObject | readonly JsonObject[] = list ? [own] : { [definition.id]: own };
  const [top = 'mcpServers', ...deeper] = container;
  const inner = deeper.reduceRight<Json>((value, name) => ({ [name]: value }), servers);
  const root = { [top]: inner };
  return RENDERERS[syntax](asked.length > 0 ? { ...root, inputs: asked } : root);
}

const RENDERERS: Readonly<Record<Syntax, (root: object) => string>> = {
  json: (root) => `${JSON.stringify(root, undefined, 2)}\n`,
  yaml: (root) => stringifyYaml(root, { lineWidth: 0 }),
  toml: (root) => stringifyToml(root),
};
