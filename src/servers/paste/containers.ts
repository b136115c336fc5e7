import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { isContainer } from './aliases.ts';
import { isRunner } from './commands/run-command.ts';
import { looksLikeEntry, readEntry } from './entry.ts';
import { type DeclaredInput, readInputList } from '../entry/inputs.ts';
import { serversInManifest } from './manifests.ts';
import { publishedServers } from './published.ts';
import type { Draft } from './view.ts';

/** The servers of a document. */
export interface Holding {
  readonly servers: { draft: Draft; readonly raw: object }[];
  /** Names of entries without a command and an address. */
  readonly rejected: string[];
  readonly builtIns: string[];
  /** Names of those that listen in a cluster, while here they are started over stdio. */
  readonly clustered: string[];
  /** As written; null for a bare entry or map. */
  container: string | null;
}

export function findServers(root: unknown): Holding {
  const found: Holding = { servers: [], rejected: [], builtIns: [], clustered: [], container: null };
  const manifest = serversInManifest(root);
  const published = manifest.length > 0 ? [] : publishedServers(root);
  if (manifest.length > 0) addManifest(manifest, root as object, found); // only an object is a manifest
  else if (published.length > 0) {
    found.servers.push(...published.map((draft) => ({ draft, raw: root as object }))); // as above
    found.container = 'registry';
  } else if (isObject(root) || Array.isArray(root)) {
    walk(root, found, 0);
    if (found.container === null) readBare(root, found);
  }
  found.servers.splice(limits.pasteServersMax);
  const inputs = isObject(root) ? readInputs(root) : [];
  if (inputs.length > 0) for (const server of found.servers) server.draft = { ...server.draft, inputs };
  return found;
}

function addManifest(servers: ReturnType<typeof serversInManifest>, raw: object, found: Holding): void {
  for (const { draft, listens } of servers) {
    found.servers.push({ draft, raw });
    if (listens) found.clustered.push(draft.name ?? 'This server');
  }
  found.container = 'kubernetes';
}

const DEPTH_MAX = 8;

function walk(value: unknown, found: Holding, depth: number): void {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, limits.pasteServersMax))
      if (isObject(item)) walk(item, found, depth + 1);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || inner === null) continue;
      if (isContainer(key)) readContainer(key, inner, found, depth + 1);
      else walk(inner, found, depth + 1);
    }
  }
}

function readContainer(key: string, value: object, found: Holding, depth: number): void {
  if (depth > DEPTH_MAX) return;
  const before = found.servers.length + found.builtIns.length;
  if (Array.isArray(value)) for (const item of value) addItem(item, found);
  else if (looksLikeEntry(value)) add(value, null, found);
  else {
    for (const [name, raw] of Object.entries(value)) {
      const isNested = Array.isArray(raw) || (isObject(raw) && !looksLikeEntry(raw));
      if (isContainer(name) && isNested) readContainer(name, raw, found, depth + 1);
      else if (name !== 'inputs' && name !== '__proto__' && isObject(raw)) add(raw, name, found);
    }
  }
  const strict = /servers/i.test(key) && Object.keys(value).length > 0;
  if (found.servers.length + found.builtIns.length > before || strict) found.container ??= key;
}

function addItem(item: unknown, found: Holding): void {
  if (!isObject(item)) return;
  const [only, ...more] = Object.entries(item);
  if (only && more.length === 0 && looksLikeEntry(only[1])) add(only[1], only[0], found);
  else if (looksLikeEntry(item) || readEntry(item, null).kind === 'built-in') add(item, null, found);
}

function add(raw: Record<string, unknown>, name: string | null, found: Holding): void {
  const reading = readEntry(raw, name);
  if (reading.kind === 'server') found.servers.push({ draft: reading.draft, raw });
  else if (reading.kind === 'none') found.rejected.push(name ?? '');
  else found.builtIns.push(name ?? (typeof raw['name'] === 'string' ? raw['name'] : ''));
}

/** One entry, or a map or list of entries. */
function readBare(root: object, found: Holding): void {
  if (looksLikeEntry(root)) add(root, null, found);
  else if (Array.isArray(root)) {
    for (const item of root.slice(0, limits.pasteServersMax)) if (looksLikeEntry(item)) addItem(item, found);
  } else {
    const objects = Object.entries(root).filter(([, value]) => isObject(value));
    const entries = objects.filter(([, value]) => looksLikeEntry(value));
    const [only, ...others] = objects;
    // A map under a name of its author's, such as "tools".
    if (
      entries.length === 0 &&
      only &&
      others.length === 0 &&
      !NOT_NAMES.test(only[0]) &&
      isMapOfCommands(only[1])
    )
      return readBare(only[1], found);
    if (entries.length * 2 < objects.length || NOT_NAMES.test(entries[0]?.[0] ?? '')) return;
    for (const [name, raw] of entries) add(raw, name, found);
  }
}

function isMapOfCommands(value: unknown): value is object {
  if (!isObject(value)) return false;
  const entries = Object.values(value);
  const isCommand = (entry: unknown): boolean =>
    isObject(entry) &&
    typeof entry['command'] === 'string' &&
    Array.isArray(entry['args']) &&
    isRunner(entry['command'], entry['args'].map(String));
  return entries.length > 0 && entries.every((entry) => isCommand(entry) && looksLikeEntry(entry));
}

const NOT_NAMES =
  /^(lsp|dap|formatter|terminal|shell|task|tasks|profile|profiles|agents?|agent_servers|build|test|server|scripts?|arguments|params)$/i;

function readInputs(root: Readonly<Record<string, unknown>>): readonly DeclaredInput[] {
  const nested = isObject(root['mcp']) ? root['mcp']['inputs'] : undefined;
  const list = Array.isArray(root['inputs']) ? root['inputs'] : nested;
  return Array.isArray(list) ? readInputList(list) : [];
}
