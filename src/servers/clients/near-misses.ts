import { isObject } from '../../base/json.ts';
import type { Client, ClientName, Machine } from './client.ts';
import { readClientText } from './client-text.ts';
import type { Document, KeyPath } from './documents/document.ts';
import { parseText } from './documents/parse.ts';
import type { ClientFile } from './find.ts';

/** MCP servers in a place where the client doesn't look. */
export interface NearMiss {
  readonly client: ClientName;
  readonly file: string;
  readonly servers: readonly string[];
  readonly why: string;
  readonly line?: number;
}

export async function findMistakes(
  clients: readonly Client[],
  machine: Machine,
  files: readonly ClientFile[],
): Promise<readonly NearMiss[]> {
  const found: NearMiss[] = [];
  const seen = new Set(files.map(({ path }) => path));
  for (const client of clients) {
    for (const { path, syntax, why } of client.mistakes(machine)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const read = await readClientText(path);
      const parsed = read.kind === 'ok' ? parseText(syntax, read.text) : undefined;
      if (parsed?.kind !== 'ok') continue;
      const hit = firstWith(parsed.document, CONTAINERS);
      if (hit) found.push({ client: client.name, file: path, why, ...hit });
    }
  }
  return found;
}

/** The right file, but with another client's key. */
export function wrongKeys(
  client: Client,
  file: ClientFile,
  machine: Machine,
  document: Document,
): readonly NearMiss[] {
  const places = client
    .places(machine)
    .filter((place) => place.path === file.path || place.endings || place.inEach);
  const right = new Set(places.map(({ container }) => container.join('.')));
  const others = CONTAINERS.filter((path) => !right.has(path.join('.')));
  const hit = firstWith(document, others);
  if (!hit) return [];
  const key = file.container.at(0) ?? '';
  return [
    { client: client.name, file: file.path, why: `${client.title} reads “${key}” in this file.`, ...hit },
  ];
}

const CONTAINERS: readonly KeyPath[] = [
  ['mcpServers'],
  ['mcp', 'servers'],
  ['mcp', 'mcpServers'],
  ['mcp_servers'],
  ['context_servers'],
  ['servers'],
  ['mcp'],
];

function firstWith(
  document: Document,
  paths: readonly KeyPath[],
): { readonly servers: readonly string[]; readonly line?: number } | undefined {
  for (const path of paths) {
    const servers = serversIn(document.value(path));
    if (servers.length === 0) continue;
    const line = document.position(path)?.line;
    return { servers, ...(line === undefined ? {} : { line }) };
  }
  return undefined;
}

function serversIn(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .filter(([, entry]) => isObject(entry) && REACHES.some((field) => field in entry))
    .map(([name]) => name);
}

const REACHES = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'];
