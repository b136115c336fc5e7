import { reportFault } from '../base/faults.ts';
import { ExactNumber } from '../base/exact-number.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { RpcError } from '../connections/rpc-error.ts';

/** Chosen by the host; two hosts use the same ones. */
export type RpcId = string | number | ExactNumber;

export function isRpcId(id: unknown): id is RpcId {
  return typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber;
}

export { RpcError };

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** As a part of a message: it is written as the host wrote it. */
export function idJson(id: RpcId): Json {
  return id as unknown as Json; // `JSON.stringify` makes a number of an exact one
}

/** A serialized result: large lists are written once for all hosts. */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Answer = JsonObject | Written;

/** Never throws: an unwritable answer becomes an error. */
export function answerText(id: RpcId, answer: Answer): string {
  try {
    const result = answer instanceof Written ? answer.text : JSON.stringify(answer);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  } catch (error) {
    return unwritable(id, error);
  }
}

/** Never throws. */
export function errorText(id: RpcId | null, error: RpcError): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, error: error.json });
  } catch (cause) {
    return unwritable(id, cause);
  }
}

function unwritable(id: RpcId | null, cause: unknown): string {
  reportFault('an answer to a host', cause);
  const error = { code: rpcCodes.internalError, message: 'Plugboard could not write the answer as JSON.' };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

export function notificationText(method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}
