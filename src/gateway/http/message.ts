import { plainNumber } from '../../base/exact-number.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { isRpcId, RpcError, rpcCodes, type RpcId } from '../rpc.ts';
import { isUtf8 } from 'node:buffer';
import { type Incoming, httpCodes, problem, type Problem } from './exchange.ts';

export type Message =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly id: RpcId | null; readonly outcome: Outcome }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly why: string };

export type HostRequest = Message & { readonly kind: 'request' };

export type Outcome = { readonly result: JsonObject } | { readonly error: RpcError };

/** Only the frame is checked; its contents pass unchanged. */
export function readMessage(value: unknown): Message {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return invalid(null, 'it isn’t a JSON-RPC 2.0 message');
  const { id, method, params } = value;
  const known = isRpcId(id) ? id : null;
  if (method === undefined) return readResponse(value, known);
  if (typeof method !== 'string') return invalid(known, 'its method isn’t a string');
  // Some hosts write null for absent.
  const given = (params ?? NONE) as JsonObject; // parsed from JSON
  if (!isObject(given)) return invalid(known, 'its params are no object');
  if (id === undefined) return { kind: 'notification', method, params: given };
  if (known === null) return invalid(null, 'its id is neither a text nor a number');
  return { kind: 'request', id: known, method, params: given };
}

const NONE: JsonObject = {};

function readResponse(value: Record<string, unknown>, id: RpcId | null): Message {
  const { result, error } = value;
  if (isObject(result)) return { kind: 'response', id, outcome: { result: result as JsonObject } }; // parsed from JSON
  if (isObject(error)) return { kind: 'response', id, outcome: { error: readError(error) } };
  const why = 'it has neither a method, nor a result, nor an error';
  // Whoever asked must not wait on; without an id nobody has.
  if (id === null) return invalid(id, why);
  const wrong = new RpcError(rpcCodes.internalError, `The host’s answer was refused: ${why}.`);
  return { kind: 'response', id, outcome: { error: wrong } };
}

function readError({ code: given, message, data }: Record<string, unknown>): RpcError {
  const code = plainNumber(given);
  return new RpcError(
    typeof code === 'number' ? code : rpcCodes.internalError,
    typeof message === 'string' ? message : 'The host failed.',
    data as Json | undefined, // it came as JSON
  );
}

function invalid(id: RpcId | null, why: string): Message {
  return { kind: 'invalid', id, why };
}

export interface BodyOptions {
  readonly bytesMax: number;
  readonly shape: { readonly depthMax: number; readonly itemsMax: number };
}

/** Neither callback runs if the host leaves. Callbacks, not promises: every call comes through here. */
export function readBody(
  request: Incoming,
  options: BodyOptions,
  done: (value: unknown) => void,
  failed: (what: Problem) => void,
): void {
  const refused = wrongForm(request, options.bytesMax);
  if (refused) {
    request.skip();
    failed(refused);
    return;
  }
  request.body(
    options.bytesMax,
    (body) => {
      const parsed = parse(body, options);
      if ('value' in parsed) done(parsed.value);
      else failed(parsed);
    },
    () => failed(tooLarge(options.bytesMax)),
  );
}

function wrongForm({ header }: Incoming, bytesMax: number): Problem | undefined {
  const type = header('content-type');
  // A foreign web page can send forms and plain text without asking.
  if (type !== 'application/json' && type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return problem(415, httpCodes.badRequest, 'A body must be application/json.', CLOSE);
  }
  const encoding = header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return problem(415, httpCodes.badRequest, 'A body must not be compressed.', CLOSE);
  }
  if (Number(header('content-length') ?? 0) > bytesMax) return tooLarge(bytesMax);
  return undefined;
}

/** An unwanted body is not waited for. */
const CLOSE = ['connection', 'close'] as const;

function tooLarge(bytesMax: number): Problem {
  return problem(413, httpCodes.badRequest, `A body may have ${bytesMax} bytes at most.`, CLOSE);
}

function parse(body: Buffer, options: BodyOptions): { readonly value: unknown } | Problem {
  if (!isUtf8(body)) return problem(400, rpcCodes.parseError, 'The body is not UTF-8.');
  const text = body.toString('utf8');
  const shape = findShapeProblem(text, options.shape);
  if (shape !== undefined) return problem(413, httpCodes.badRequest, `The body was not read. ${shape}`);
  try {
    return { value: parseJson(text) };
  } catch {
    return problem(400, rpcCodes.parseError, 'The body is not JSON.');
  }
}
