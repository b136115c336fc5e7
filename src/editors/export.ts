import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import type { Json, JsonObject } from '../base/json.ts';
import type { Syntax } from '../servers/clients/documents/document.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import type { Client } from '../servers/clients/client.ts';
import { clientNamed } from '../servers/clients/clients.ts';
import { writeEntry } from '../servers/clients/write-entry.ts';
import { cursor, vscode } from '../servers/clients/editor-clients.ts';
import { goose } from '../servers/clients/goose.ts';
import { lmStudio } from '../servers/clients/desktop-clients.ts';
import { findPlaceholders } from '../servers/placeholders.ts';

export interface Exported {
  readonly text: string;
  readonly warnings: readonly string[];
}

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
  // Only a block of ours is written in this one, and no client with it can be named here.
  elisp: () => '',
};

export function deepLinks(definition: ServerDefinition): Exported {
  const made = [cursorLink, vscodeLink, lmStudioLink, gooseLink].map((make) => make(definition));
  return {
    text: made.map(({ link }) => `${link}\n`).join(''),
    warnings: [...new Set(made.flatMap(({ warnings }) => warnings))],
  };
}

interface Link {
  readonly link: string;
  readonly warnings: readonly string[];
}

/** Cursor and LM Studio take the same parameters. */
function configLink(client: Client, address: string): (definition: ServerDefinition) => Link {
  return (definition) => {
    const { entry, warnings } = writeEntry(client, definition);
    const config = Buffer.from(JSON.stringify(entry)).toString('base64');
    const query = `name=${encodeURIComponent(definition.name)}&config=${encodeURIComponent(config)}`;
    return { link: `${address}?${query}`, warnings };
  };
}

const cursorLink = configLink(cursor, 'cursor://anysphere.cursor-deeplink/mcp/install');
const lmStudioLink = configLink(lmStudio, 'lmstudio://add_mcp');

export function vscodeLink(definition: ServerDefinition): Link {
  const { entry, warnings } = writeEntry(vscode, definition);
  const { inputs, ...own } = entry;
  const asked = inputsOf(definition, inputs);
  const whole = { name: definition.name, ...own, ...(asked.length > 0 ? { inputs: asked } : {}) };
  return { link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(whole))}`, warnings };
}

/** goose asks for the values of variables itself: the link only names them. */
export function gooseLink(definition: ServerDefinition): Link {
  const { warnings } = writeEntry(goose, definition);
  const { endpoint, timeouts } = definition;
  const { callMs } = timeouts;
  const parameters: readonly Parameter[] = [
    ...(endpoint.kind === 'stdio' ? commandOf(endpoint) : addressOf(endpoint)),
    ...(callMs === undefined ? [] : [['timeout', String(Math.ceil(callMs / 1000))] as const]),
    ['id', definition.id],
    ['name', definition.name],
    ['description', definition.name],
  ];
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const values = endpoint.kind === 'stdio' && Object.keys(endpoint.env).length > 0;
  const refused = endpoint.kind === 'stdio' && !GOOSE_RUNS.test(endpoint.command);
  return {
    link: `goose://extension?${query}`,
    warnings: [
      ...warnings,
      ...(values ? ['A goose link names variables without their values; goose asks for them.'] : []),
      ...(refused
        ? [`goose may refuse “${endpoint.command}” in a link: it runs only commands it knows.`]
        : []),
    ],
  };
}

const GOOSE_RUNS = /^(npx|uvx|docker|jbang|cmd)$/;

type Parameter = readonly [name: string, value: string];

function commandOf({ command, args, env }: Extract<Endpoint, { kind: 'stdio' }>): readonly Parameter[] {
  return [
    ['cmd', command],
    ...args.map((arg) => ['arg', arg] as const),
    ...Object.keys(env).map((name) => ['env', `${name}=${name}`] as const),
  ];
}

function addressOf({ url, headers }: Exclude<Endpoint, { kind: 'stdio' }>): readonly Parameter[] {
  return [
    ['url', url],
    ['type', 'streamable_http'],
    ...Object.entries(headers).map(([name, value]) => ['header', `${name}=${value}`] as const),
  ];
}

/** VS Code asks for values by questions that stand beside the servers. */
function inputsOf(definition: ServerDefinition, known: unknown): readonly JsonObject[] {
  const given = Array.isArray(known) ? (known as readonly JsonObject[]) : [];
  const { endpoint } = definition;
  const texts =
    endpoint.kind === 'stdio'
      ? [endpoint.command, ...endpoint.args, ...Object.values(endpoint.env)]
      : [endpoint.url, ...Object.values(endpoint.headers)];
  const ids = texts.flatMap(findPlaceholders).flatMap(({ kind, name }) => (kind === 'input' ? [name] : []));
  const missing = [...new Set(ids)].filter((id) => !given.some((input) => input['id'] === id));
  return [...given, ...missing.map((id) => ({ type: 'promptString', id, description: id, password: true }))];
}
