import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** An argument that a tool wants in a header, too. */
interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

type Reading = { readonly declarations: readonly Declaration[] } | { readonly problem: string };

/**
 * The `Mcp-Param-*` headers of one call (MCP 2026-07-28, Streamable HTTP, custom headers from tool
 * parameters). A schema with faulty declarations yields none; its tool must not be offered.
 */
export function paramHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  const reading = readDeclarations(inputSchema);
  if ('problem' in reading) return {};
  const headers: Record<string, string> = {};
  for (const { path, header } of reading.declarations) {
    const text = headerText(valueAt(args, path));
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encodeHeaderValue(text);
  }
  return headers;
}

/** Why a tool with this schema must be dropped. */
export function headerDeclarationProblem(inputSchema: unknown): string | undefined {
  const reading = readDeclarations(inputSchema);
  return 'problem' in reading ? reading.problem : undefined;
}

/** Plain when a header can carry it, otherwise marked base64 of its UTF-8 bytes. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(text);
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  return plain && !looksEncoded ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = new Set(['string', 'integer', 'boolean']);

/** The schema is walked once, not for each call. */
const read = new WeakMap<object, Reading>();

function readDeclarations(inputSchema: unknown): Reading {
  if (!isObject(inputSchema)) return { declarations: [] };
  const known = read.get(inputSchema);
  if (known !== undefined) return known;
  const reading = walkSchema(inputSchema);
  read.set(inputSchema, reading);
  return reading;
}

interface SchemaNode {
  readonly schema: unknown;
  readonly path: readonly string[];
  /** Reached through `properties` alone: only there can a value be looked up. */
  readonly direct: boolean;
  readonly depth: number;
}

/** A list instead of recursion: a server's schema may be deep. */
function walkSchema(root: object): Reading {
  const declarations: Declaration[] = [];
  const names = new Map<string, string>();
  const todo: SchemaNode[] = [{ schema: root, path: [], direct: true, depth: 0 }];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    const { schema, path } = node;
    if (Array.isArray(schema)) {
      for (const part of schema) todo.push({ ...node, schema: part, direct: false, depth: node.depth + 1 });
      continue;
    }
    if (!isObject(schema)) continue;
    if (Object.hasOwn(schema, KEY)) {
      const problem = problemWith(schema, node);
      if (problem !== undefined) return { problem };
      const header = String(schema[KEY]);
      const twin = names.get(header.toLowerCase());
      if (twin !== undefined)
        return { problem: `The header “${header}” is declared twice (also “${twin}”).` };
      names.set(header.toLowerCase(), header);
      declarations.push({ path, header });
    }
    // Beyond this depth a declaration could go unseen, so the tool is refused.
    if (node.depth > limits.headerSchemaDepthMax) {
      if (mentions(schema)) return { problem: 'A header is declared too deep inside the input schema.' };
      continue;
    }
    todo.push(...nodesBelow(schema, node));
  }
  return { declarations };
}

function problemWith(schema: Record<string, unknown>, node: SchemaNode): string | undefined {
  const name = node.path.join('.') || 'the schema itself';
  const header = schema[KEY];
  if (!node.direct || node.path.length === 0) {
    return `A header is declared at “${name}”, where no single argument stands.`;
  }
  if (typeof header !== 'string' || !TOKEN.test(header)) {
    return `The header declared for “${name}” is not a valid header name.`;
  }
  if (typeof schema['type'] !== 'string' || !TYPES.has(schema['type'])) {
    return `A header is declared for “${name}”, which is neither a string, an integer nor a boolean.`;
  }
  return undefined;
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'required', KEY]);
/** Keywords that map names to schemas. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

function nodesBelow(schema: Record<string, unknown>, node: SchemaNode): SchemaNode[] {
  const below: SchemaNode[] = [];
  const depth = node.depth + 1;
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null || DATA.has(keyword)) continue;
    if (NAMED.has(keyword) && isObject(value)) {
      const direct = node.direct && keyword === 'properties';
      for (const [name, part] of Object.entries(value)) {
        below.push({ schema: part, path: [...node.path, name], direct, depth });
      }
    } else {
      below.push({ schema: value, path: [...node.path, `<${keyword}>`], direct: false, depth });
    }
  }
  // The list is popped; reversed, declarations keep the schema's order.
  return below.toReversed();
}

function mentions(schema: object): boolean {
  try {
    return JSON.stringify(schema).includes(`"${KEY}"`);
  } catch {
    return true; // too deep for JSON.stringify
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Numbers that JavaScript cannot hold exactly would differ from the body, so they get no header. */
function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** Reads `=?base64?…?=`; other values are literal. Undefined when it is not well encoded. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith('=?')) return value;
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Node skips invalid base64: only what it would write itself is accepted.
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}
