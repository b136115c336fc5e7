import { reportFault } from '../base/faults.ts';
import type { JsonObject } from '../base/json.ts';

/** Ids that a host may give its requests. They are the host's own: two hosts use the same ones. */
export type RpcId = string | number;

/** A JSON-RPC error as it goes to a host. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** JSON-RPC's own codes and those of the specification of 2026-07-28. */
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

/** A result that is kept as text: large lists are written once, not for every host. */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Answer = JsonObject | Written;

/** The text of an answer to a request with this id; one that cannot be written is an error. Never throws. */
export function answerText(id: RpcId, answer: Answer): string {
  try {
    const result = answer instanceof Written ? answer.text : JSON.stringify(answer);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  } catch (error) {
    return unwritable(id, error);
  }
}

/** Never throws either. */
export function errorText(id: RpcId | null, error: RpcError): string {
  const { code, message, data } = error;
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } });
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
