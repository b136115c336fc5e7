import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isDeeper } from '../base/json-shape.ts';
import { isObject } from '../base/json.ts';

/** Of the answer that we deliver in place of one that was too large or too deep. */
export const TOO_LARGE_CODE = -32_099;

/**
 * A frame that was parsed elsewhere, or its replacement where it is nested too deeply. Parsing takes
 * any depth; writing JSON or looking for secrets does not. So nothing deeper gets past the reader.
 */
export function shallow(frame: JSONRPCMessage, depthMax: number): JSONRPCMessage | undefined {
  return isDeeper(frame, depthMax) ? inPlaceOfDeep(frame, depthMax) : frame;
}

/** An error for the call that a too deep frame answers; undefined for any other frame, which is dropped. */
export function inPlaceOfDeep(frame: unknown, depthMax: number): JSONRPCMessage | undefined {
  if (!isObject(frame) || 'method' in frame) return undefined;
  const { id } = frame;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message = `The answer is nested deeper than ${depthMax} levels.`;
  const error = { code: TOO_LARGE_CODE, message, data: { code: 'too_large', depthMax } };
  return { jsonrpc: '2.0', id, error };
}
