import { reportFault } from '../base/faults.ts';
import type { JsonObject } from '../base/json.ts';

/** Chosen by the host; two hosts use the same ones. */
export type RpcId = string | number;

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
