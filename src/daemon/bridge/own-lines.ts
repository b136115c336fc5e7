import { rpcCodes } from '../../gateway/rpc.ts';
import type { JsonObject } from '../../base/json.ts';

/** The few lines that the bridge itself says. Ids are JSON texts already. */
export function failedLine(id: string, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: rpcCodes.internalError, message })}}\n`;
}

/** Tells the host that the hub waits for its answer no more. */
export function cancelledLine(id: string, reason: string): string {
  const rest = JSON.stringify(reason);
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":${rest}}}\n`;
}

export function initializeLine(id: string, params: JsonObject): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })}\n`;
}

export const INITIALIZED_LINE = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
