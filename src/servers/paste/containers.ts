import { type Json, isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { isContainer } from './aliases.ts';
import { looksLikeEntry, readEntry, transportOfUrl } from './entry.ts';
import type { PastedInput } from './paste.ts';
import type { Draft } from './view.ts';

export interface Holding {
  readonly servers: readonly { readonly draft: Draft; readonly raw: object }[];
  readonly rejected: readonly string[];
  readonly builtIns: readonly string[];
  /** As written; null for a bare entry or map. */
  readonly container: string | null;
}

interface Collected {
  readonly servers: { draft: Draft; raw: object }[];
  readonly rejected: string[];
  readonly builtIns: string[];
  container: string | null;
}

export function findServers(root: unknown): Holding {
  const found: Collected = { servers: [], rejected: [], builtIns: [], container: null };
  if (isObject(root) || Array.isArray(root)) {
    walk(root, found, 0);
    if (found.container === null) readBare(root, found);
  }
  const inputs = isObject(root) ? readInputs(root) : [];
  return {
    ...found,
    servers: found.servers
      .slice(0, limits.pasteServersMax)
      .map(({ draft, raw }) => ({ raw, draft: inputs.length > 0 ? { ...draft, inputs } : draft })),
  };
}

const DEPTH_MAX = 8;

function walk(value: unknown, found: Collected, depth: number): void {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, limits.pasteServersMax))
      if (isObject(item)) walk(item, found, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    if (isContainer(key)) readContainer(key, inner, found, depth + 1);
    else walk(inner, found, depth + 1);
  }
}

function readContainer(key: string, value: object, found: Collected, depth: number): void {
  if (depth > DEPTH_MAX) return;
  const before = found.servers.length + found.builtIns.length;
  if (Array.isArray(value)) {
    for (const item of value) addItem(item, found);
  } else if (looksLikeEntry(value)) {
    add(value, null, found);
  } else {
    for (const [name, raw] of Object.entries(value)) {
      if (isContainer(name) && isObject(raw) && !looksLikeEntry(raw))
        readContainer(name, raw, found, depth + 1);
      else if (isContainer(name) && Array.isArray(raw)) readContainer(name, raw, found, depth + 1);
      else if (name !== 'inputs' && name !== '__proto__' && isObject(raw)) add(raw, name, found);
    }
  }
  const strict = /servers/i.test(key) && Object.keys(value).length > 0;
  if (found.servers.length + found.builtIns.length > before || strict) found.container ??= key;
}

function addItem(item: unknown, found: Collected): void {
  if (!isObject(item)) return;
  const [only, ...more] = Object.entries(item);
  if (only && more.length === 0 && looksLikeEntry(only[1])) add(only[1], only[0], found);
  else if (looksLikeEntry(item) || readEntry(item, null).kind === 'built-in') add(item, null, found);
}

function add(raw: Record<string, unknown>, name: string | null, found: Collected): void {
  const reading = readEntry(raw, name);
  if (reading.kind === 'server') found.servers.push({ draft: reading.draft, raw });
  else if (reading.kind === 'built-in')
    found.builtIns.push(name ?? (typeof raw['name'] === 'string' ? raw['name'] : ''));
  else found.rejected.push(name ?? '');
}

/** One entry, a map or list of entries, or a registry document. */
function readBare(root: object, found: Collected): void {
  const published = readServerDocument(root);
  if (published) found.servers.push({ draft: published, raw: root });
  else if (looksLikeEntry(root)) add(root, null, found);
  else if (Array.isArray(root)) {
    for (const item of root.slice(0, limits.pasteServersMax)) if (looksLikeEntry(item)) addItem(item, found);
  } else {
    const objects = Object.entries(root).filter(([, value]) => isObject(value));
    const entries = objects.filter(([, value]) => looksLikeEntry(value));
    if (entries.length * 2 < objects.length || NOT_NAMES.test(entries[0]?.[0] ?? '')) return;
    for (const [name, raw] of entries) if (isObject(raw)) add(raw, name, found);
  }
}

const NOT_NAMES =
  /^(lsp|dap|formatter|terminal|shell|task|tasks|profile|profiles|agent_servers|build|test|server|scripts?)$/i;

function readInputs(root: Readonly<Record<string, unknown>>): readonly PastedInput[] {
  const nested = isObject(root['mcp']) ? root['mcp']['inputs'] : undefined;
  const list = Array.isArray(root['inputs']) ? root['inputs'] : nested;
  return Array.isArray(list) ? readInputList(list) : [];
}

export function readInputList(list: readonly unknown[]): readonly PastedInput[] {
  return list.filter(isObject).flatMap((item) => {
    const { id, description, password, default: preset } = item as Record<string, Json | undefined>;
    if (typeof id !== 'string') return [];
    return {
      id,
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof password === 'boolean' ? { password } : {}),
      ...(typeof preset === 'string' ? { default: preset } : {}),
    };
  });
}

/** The first remote, else the first package with a known command. */
function readServerDocument(root: unknown): Draft | undefined {
  if (!isObject(root)) return undefined;
  const document =
    isObject(root['server']) && typeof root['server']['name'] === 'string' ? root['server'] : root;
  const { name, remotes, packages, version } = document;
  if (typeof name !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(name)) return undefined;
  const remote = Array.isArray(remotes)
    ? remotes.find((item) => isObject(item) && typeof item['url'] === 'string')
    : undefined;
  const base = {
    name: name.slice(name.indexOf('/') + 1),
    ref: { kind: 'mcp-registry' as const, id: name, ...(typeof version === 'string' ? { version } : {}) },
    extra: {},
  };
  if (isObject(remote) && typeof remote['url'] === 'string') {
    return {
      ...base,
      transport: remote['type'] === 'sse' ? 'sse' : transportOfUrl(remote['url']),
      url: remote['url'],
    };
  }
  const line = Array.isArray(packages)
    ? packages.map(commandOf).find((found) => found !== undefined)
    : undefined;
  return line || Array.isArray(packages) ? { ...base, transport: line ? 'stdio' : null, ...line } : undefined;
}

function commandOf(
  item: unknown,
): { command: string; args: readonly string[]; asked?: readonly string[] } | undefined {
  if (!isObject(item)) return undefined;
  const kind = item['registryType'] ?? item['registry_type'] ?? item['registry_name'];
  const id = item['identifier'] ?? item['name'];
  const version = item['version'];
  if (typeof id !== 'string') return undefined;
  const variables = item['environmentVariables'] ?? item['environment_variables'];
  const asked = Array.isArray(variables)
    ? variables
        .filter(isObject)
        .filter((variable) => variable['isRequired'] === true)
        .map((variable) => String(variable['name']))
    : [];
  const pinned = (sign: string): string =>
    typeof version === 'string' && version !== '' ? `${id}${sign}${version}` : id;
  const more = asked.length > 0 ? { asked } : {};
  if (kind === 'npm') return { command: 'npx', args: ['-y', pinned('@')], ...more };
  if (kind === 'pypi') return { command: 'uvx', args: [pinned('==')], ...more };
  if (kind === 'oci' || kind === 'docker') {
    const image = id.includes(':') ? id : pinned(':');
    return {
      command: 'docker',
      args: ['run', '-i', '--rm', ...asked.flatMap((name) => ['-e', name]), image],
      ...more,
    };
  }
  return undefined;
}
