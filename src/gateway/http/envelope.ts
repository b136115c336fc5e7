import { isObject, type JsonObject } from '../../base/json.ts';
import { RpcError, rpcCodes } from '../rpc.ts';
import { decodeHeaderValue } from './header-value.ts';
import { httpLimits } from './limits.ts';
import type { HostRequest, Message } from './message.ts';
import type { Problem } from './respond.ts';

/** Revisions of the modern era that the gateway speaks. */
const modernVersions: readonly string[] = ['2026-07-28'];

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** The body decides the era; a header that names a newer revision alone makes it modern too. */
export function isModern(message: Message, versionHeader: string | undefined): boolean {
  if ('params' in message && metaOf(message.params)?.[VERSION] !== undefined) return true;
  return versionHeader !== undefined && isModernVersion(versionHeader);
}

/** Dates compare as text; whatever is no date, such as “v999”, is no older revision either. */
export function isModernVersion(version: string): boolean {
  return version >= '2026-07-28';
}

/**
 * What is wrong with the envelope of a modern request: its fields, and the headers that repeat
 * them (2026-07-28, Streamable HTTP, “Standard Request Headers”).
 */
export function checkEnvelope(
  message: HostRequest,
  header: (name: string) => string | undefined,
): Problem | undefined {
  const { method, params } = message;
  const meta = metaOf(params);
  const version = meta?.[VERSION];
  if (typeof version !== 'string') return invalid(`_meta needs “${VERSION}”, a text.`);
  if (!isObject(meta?.[CAPABILITIES])) return invalid(`_meta needs “${CAPABILITIES}”, an object.`);
  if (meta[CLIENT] !== undefined && !isObject(meta[CLIENT])) return invalid(`“${CLIENT}” must be an object.`);
  // Discovery is how a host finds out what it has to send: it may come without the headers.
  const mayLack = method === 'server/discover';
  return (
    compare('MCP-Protocol-Version', header('mcp-protocol-version'), version, mayLack) ??
    compare('Mcp-Method', header('mcp-method'), method, mayLack) ??
    checkName(method, params, header('mcp-name')) ??
    checkVersion(version)
  );
}

function metaOf(params: JsonObject): JsonObject | undefined {
  const meta = params['_meta'];
  return isObject(meta) ? meta : undefined;
}

function checkVersion(version: string): Problem | undefined {
  if (modernVersions.includes(version)) return undefined;
  const data = { supported: modernVersions, requested: version };
  const error = new RpcError(
    rpcCodes.unsupportedVersion,
    `The protocol ${quoted(version)} is not spoken here.`,
    data,
  );
  return { status: 400, error };
}

/** Where a method has what Mcp-Name repeats. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

function checkName(method: string, params: JsonObject, given: string | undefined): Problem | undefined {
  const field = NAMED.get(method);
  if (field === undefined) return undefined;
  const name = params[field];
  // A call without a name is the method's to refuse.
  return typeof name === 'string' ? compare('Mcp-Name', given, name, false) : undefined;
}

function compare(
  name: string,
  given: string | undefined,
  body: string,
  mayLack: boolean,
): Problem | undefined {
  if (given === undefined) return mayLack ? undefined : mismatch(`The header ${name} is missing.`);
  const value = decodeHeaderValue(given);
  if (value === undefined) return mismatch(`The header ${name} is not well encoded.`);
  if (value === body) return undefined;
  return mismatch(`The header ${name} says ${quoted(value)}, and the body ${quoted(body)}.`);
}

function mismatch(message: string): Problem {
  return { status: 400, error: new RpcError(rpcCodes.headerMismatch, message) };
}

function invalid(message: string): Problem {
  return { status: 400, error: new RpcError(rpcCodes.invalidParams, message) };
}

function quoted(text: string): string {
  return `“${text.slice(0, httpLimits.quotedCharsMax)}”`;
}
