import { toldToModel } from '../base/remedy-sentence.ts';
import { PlugError, toPlugError, type ErrorCode } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/** What a server answered as an error passes as it is; everything else says whose move it is. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const error = toPlugError(thrown);
  const wire = wireError(error);
  if (wire) return wire;
  // Views are JSON by contract.
  const data = error.toView() as unknown as JsonObject;
  return new RpcError(CODES[error.code] ?? rpcCodes.internalError, toldToModel(error.message, error.remedy), {
    plugboard: data,
  });
}

/**
 * A failed call as a result: a model reads it and can go on, where an error would only reach the
 * program around it. Errors that a server answered with, and names that do not exist, stay errors.
 */
export function failedCall(thrown: unknown): JsonObject {
  const error = toPlugError(thrown);
  if (thrown instanceof RpcError || STAYS_ERROR.has(error.code)) throw toRpcError(thrown);
  return {
    content: [{ type: 'text', text: toldToModel(error.message, error.remedy, '\n') }],
    isError: true,
    // Views are JSON by contract.
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
    isObject(data) ? (data as JsonObject) : undefined, // it came as JSON
  );
}

const CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: rpcCodes.invalidParams,
  bad_arguments: rpcCodes.invalidParams,
  not_found: rpcCodes.invalidParams,
  unsupported: rpcCodes.methodNotFound,
};

const STAYS_ERROR: ReadonlySet<ErrorCode> = new Set(['server_error', 'not_found', 'usage', 'cancelled']);
