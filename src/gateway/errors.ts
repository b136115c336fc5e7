import { toldToModel } from '../base/remedy-sentence.ts';
import { PlugError, toPlugError, type ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/** A server's own error passes unchanged. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const error = toPlugError(thrown);
  const wire = wireError(error);
  if (wire) return wire;
  const data = error.toView() as unknown as JsonObject; // views are JSON
  const code = CODES[error.code] ?? rpcCodes.internalError;
  return new RpcError(code, toldToModel(error.message, error.remedy), { plugboard: data });
}

/** As a result, so that the model reads it; server errors and unknown names stay protocol errors. */
export function failedCall(thrown: unknown): JsonObject {
  const error = toPlugError(thrown);
  if (thrown instanceof RpcError || STAYS_ERROR.has(error.code)) throw toRpcError(thrown);
  return {
    content: [{ type: 'text', text: toldToModel(error.message, error.remedy, '\n') }],
    isError: true,
    // Views are JSON.
    _meta: { 'plugboard/error': error.toView() as unknown as JsonObject },
  };
}

function wireError(error: PlugError): RpcError | undefined {
  const code = error.details?.['rpcCode'];
  if (error.code !== 'server_error' || typeof code !== 'number') return undefined;
  const message = error.details?.['rpcMessage'];
  const data = error.details?.['rpcData'];
  return new RpcError(
    code,
    typeof message === 'string' ? message : error.message,
    data as Json | undefined, // it came as JSON
  );
}

const CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: rpcCodes.invalidParams,
  bad_arguments: rpcCodes.invalidParams,
  not_found: rpcCodes.invalidParams,
  unsupported: rpcCodes.methodNotFound,
};

const STAYS_ERROR: ReadonlySet<ErrorCode> = new Set(['server_error', 'not_found', 'usage', 'cancelled']);
