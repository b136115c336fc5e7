import type { Line } from '../../base/line.ts';
import type { Logger } from '../../base/logger.ts';
import type { Gateway, ModernRequest } from '../gateway.ts';
import { RpcError, rpcCodes } from '../rpc.ts';
import { HostExchange } from './host-exchange.ts';
import type { HostRequest, Message } from './message.ts';
import { Reply } from './reply.ts';
import { EVENTS_ONLY, invalidRequest, problem, refusedBody, respondEmpty, respondError } from './exchange.ts';
import type { Problem, Posted } from './exchange.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { decodeHeaderValue } from '../../connections/http/param-headers.ts';
import { refusedVersion } from '../versions.ts';
import { httpLimits } from './limits.ts';

export interface ModernOptions {
  readonly gateway: Gateway;
  readonly logger: Logger;
  readonly open: Line<HostExchange>;
}

export function answerModern(message: Message, posted: Posted, options: ModernOptions): void {
  const { response } = posted;
  switch (message.kind) {
    case 'request':
      return answerRequest(message, posted, options);
    case 'notification':
      // Cancelling is closing the stream; there is nothing else to be told.
      return respondEmpty(response, 202);
    case 'response':
      return respondError(response, invalidRequest('This era has no questions that are answered by a POST.'));
    case 'invalid':
      return respondError(response, refusedBody(message));
  }
}

function answerRequest(message: HostRequest, posted: Posted, { gateway, logger, open }: ModernOptions): void {
  const { response, header, accepted, scope, principal, host, cwd, stream } = posted;
  const { id, method, params } = message;
  const wrong =
    checkEnvelope(message, header) ??
    (gateway.knows(method, scope) ? undefined : UNKNOWN_METHOD) ??
    (method === 'subscriptions/listen' && !accepted.events ? EVENTS_ONLY : undefined);
  if (wrong) return respondError(response, { ...wrong, id });
  const onGone = (): void => exchange.drop();
  const exchange = new HostExchange(id, new Reply(response, { stream, accepted, onGone }), principal);
  const underWay = open.add(exchange);
  const request: ModernRequest = { id, method, params, scope, principal, host: host?.name, header, cwd };
  const work = () => gateway.request(request, exchange);
  const isPassed = !gateway.knows(method, {});
  const statusOf = (error: RpcError): number => statusFor(error, isPassed);
  exchange.run(work, { logger, statusOf, onEnd: () => open.delete(underWay) });
}

/** These are HTTP errors too; all others are ordinary answers. */
function statusFor(error: RpcError, isPassed: boolean): number {
  // Of a server that was asked for a method that we do not know.
  if (isPassed && error.code === rpcCodes.methodNotFound) return 404;
  return REFUSALS.has(error.code) ? 400 : 200;
}

const UNKNOWN_METHOD = problem(404, rpcCodes.methodNotFound, 'There is no such method.');

const REFUSALS: ReadonlySet<number> = new Set([
  rpcCodes.headerMismatch,
  rpcCodes.missingCapability,
  rpcCodes.unsupportedVersion,
]);

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** The body decides; a newer revision in the header alone also means modern. */
export function isModern(message: Message, versionHeader: string | undefined): boolean {
  if ('params' in message && metaOf(message.params)?.[VERSION] !== undefined) return true;
  return versionHeader !== undefined && isModernVersion(versionHeader);
}

/** Dates compare as text; anything else, such as “v999”, isn't older either. */
export function isModernVersion(version: string): boolean {
  return version >= '2026-07-28';
}

/**
 * Checks fields and the headers that mirror them (2026-07-28, Streamable HTTP, “Standard Request Headers”).
 */
function checkEnvelope({ method, params }: HostRequest, header: Posted['header']): Problem | undefined {
  const meta = metaOf(params);
  const version = meta?.[VERSION];
  if (typeof version !== 'string') return invalid(`_meta needs “${VERSION}”, a text.`);
  if (!isObject(meta?.[CAPABILITIES])) return invalid(`_meta needs “${CAPABILITIES}”, an object.`);
  if (meta[CLIENT] !== undefined && !isObject(meta[CLIENT])) return invalid(`“${CLIENT}” must be an object.`);
  // Discovery tells hosts which headers to send, so it may come without them.
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
  const error = refusedVersion(version);
  return error && { status: 400, error };
}

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
  const name = field === undefined ? undefined : params[field];
  // A missing name is refused by the method.
  return typeof name === 'string' ? compare('Mcp-Name', given, name) : undefined;
}

function compare(
  name: string,
  given: string | undefined,
  body: string,
  mayLack = false,
): Problem | undefined {
  if (given === undefined) return mayLack ? undefined : mismatch(`The header ${name} is missing.`);
  const value = decodeHeaderValue(given);
  if (value === undefined) return mismatch(`The header ${name} is not well encoded.`);
  if (value === body) return undefined;
  return mismatch(`The header ${name} says ${quoted(value)}, and the body ${quoted(body)}.`);
}

function mismatch(message: string): Problem {
  return problem(400, rpcCodes.headerMismatch, message);
}

function invalid(message: string): Problem {
  return problem(400, rpcCodes.invalidParams, message);
}

function quoted(text: string): string {
  return `“${text.slice(0, httpLimits.quotedCharsMax)}”`;
}
