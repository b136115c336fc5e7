import { isObject, type JsonObject } from '../../base/json.ts';
import { RpcError, rpcCodes, type RpcId } from '../rpc.ts';

/** One JSON-RPC message of a host. */
export type Message =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly id: RpcId | null; readonly outcome: Outcome }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly why: string };

export type HostRequest = Message & { readonly kind: 'request' };

/** What a host answered to a question of ours. */
export type Outcome = { readonly result: JsonObject } | { readonly error: RpcError };

/** Reads one message; only the frame is looked at, and what is in it passes as it is. */
export function readMessage(value: unknown): Message {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return invalid(null, 'it is no JSON-RPC 2.0 message');
  const { id, method, params } = value;
  const known = isId(id) ? id : null;
  if (method === undefined) return readResponse(value, known);
  if (typeof method !== 'string') return invalid(known, 'its method is no text');
  if (params !== undefined && !isObject(params)) return invalid(known, 'its params are no object');
  // JSON.parse makes nothing but JSON.
  const given = (params ?? NONE) as JsonObject;
  if (id === undefined) return { kind: 'notification', method, params: given };
  if (known === null) return invalid(null, 'its id is neither a text nor a number');
  return { kind: 'request', id: known, method, params: given };
}

const NONE: JsonObject = {};

function readResponse(value: Record<string, unknown>, id: RpcId | null): Message {
  const { result, error } = value;
  // JSON.parse makes nothing but JSON.
  if (isObject(result)) return { kind: 'response', id, outcome: { result: result as JsonObject } };
  if (!isObject(error)) return invalid(id, 'it has neither a method, nor a result, nor an error');
  return { kind: 'response', id, outcome: { error: readError(error) } };
}

function readError({ code, message, data }: Record<string, unknown>): RpcError {
  return new RpcError(
    typeof code === 'number' ? code : rpcCodes.internalError,
    typeof message === 'string' ? message : 'The host failed.',
    isObject(data) ? (data as JsonObject) : undefined, // JSON.parse makes nothing but JSON
  );
}

function isId(id: unknown): id is RpcId {
  return typeof id === 'string' || typeof id === 'number';
}

function invalid(id: RpcId | null, why: string): Message {
  return { kind: 'invalid', id, why };
}
