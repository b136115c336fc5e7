import { createHash } from 'node:crypto';
import type { Tool } from '../tool.ts';
import { typescriptLimits } from './limits.ts';

export interface ToolPath {
  readonly server: string;
  readonly tool: string;
}

export interface ToolNames {
  readonly servers: ReadonlyMap<string, readonly string[]>;
  pathOf(ref: string): ToolPath | undefined;
  refOf(server: string, tool: string): string | undefined;
}

/**
 * Identifiers stay as they are; other names get underscores, and a hash where needed. Invariant: no two
 * tools share a path, and no path is another tool's real name.
 */
export function nameTools(tools: readonly Pick<Tool, 'ref' | 'server' | 'name'>[]): ToolNames {
  const serverNames = identify([...new Set(tools.map(({ server }) => server))]);
  const byServer = Map.groupBy(tools, ({ server }) => server);
  const servers = new Map<string, readonly string[]>();
  const paths = new Map<string, ToolPath>();
  const refs = new Map<string, string>();
  for (const [id, own] of byServer) {
    const server = serverNames.get(id) ?? id;
    const toolNames = identify([...new Set(own.map(({ name }) => name))]);
    servers.set(server, [...toolNames.values()]);
    for (const { ref, name } of own) {
      const tool = toolNames.get(name) ?? name;
      paths.set(ref, { server, tool });
      for (const left of new Set([server, id])) {
        // A real name never equals another tool's identifier here.
        for (const right of new Set([tool, name])) refs.set(toolKey(left, right), ref);
      }
    }
  }
  return {
    servers,
    pathOf: (ref) => paths.get(ref),
    refOf: (server, tool) => refs.get(toolKey(server, tool)),
  };
}

function identify(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>(names.map((name) => [name, name]));
  const others = names.filter((name) => !isIdentifier(name));
  const taken = new Set(names.filter(isIdentifier));
  // Both get a hash: the order must not matter.
  const written = Map.groupBy(others, readable);
  for (const [plain, alike] of written) {
    const isFree = alike.length === 1 && !taken.has(plain) && isIdentifier(plain);
    for (const name of alike) {
      const identifier = isFree ? plain : hashed(name, plain, taken);
      taken.add(identifier);
      found.set(name, identifier);
    }
  }
  return found;
}

export function isIdentifier(name: string): boolean {
  const fits = name.length <= typescriptLimits.identifierCharsMax;
  return fits && /^[A-Za-z_$][\w$]*$/.test(name) && !TAKEN.has(name);
}

function readable(name: string): string {
  const plain = name
    .slice(0, typescriptLimits.identifierCharsMax - HASH_CHARS - 2)
    .replaceAll(/[^\w$]+/g, '_')
    .replace(/^(?=\d)/, '_');
  return /^_*$/.test(plain) ? 'tool' : plain;
}

function hashed(name: string, plain: string, taken: ReadonlySet<string>): string {
  // Over JSON: UTF-8 loses half a surrogate pair.
  const hash = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  for (let chars = HASH_CHARS; ; chars += 1) {
    const identifier = `${plain}_${hash.slice(0, chars)}`;
    if (!taken.has(identifier) || chars > hash.length) return identifier;
  }
}

/** Server ids have no newline. */
function toolKey(server: string, tool: string): string {
  return `${server}\n${tool}`;
}

const HASH_CHARS = 6;

const RESERVED_METHODS = ['catch', 'finally', 'prototype', 'then', 'toJSON'];

/** Members of every object, and names special to await and JSON. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...RESERVED_METHODS,
]);
