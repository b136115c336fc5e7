import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isDeeper } from '../base/json-shape.ts';
import { isObject } from '../base/json.ts';

/** The JSON-RPC error code of the answer that we give in place of one that was too large or too deep. */
export const TOO_LARGE_CODE = -32_099;

/**
 * A frame that was parsed elsewhere, or what is delivered in its place where it is nested too deeply.
 *
 * Parsing takes any depth, but everything behind it that goes down into a value does not, from writing it
 * as JSON to looking for secrets in it. So nothing deeper gets past the place where frames are read.
 */
export function shallow(frame: JSONRPCMessage, depthMax: number): JSONRPCMessage | undefined {
  return isDeeper(frame, depthMax) ? inPlaceOfDeep(frame, depthMax) : frame;
}

/**
 * What is delivered in place of a frame that is nested too deeply: an error for the call that it answers.
 * Undefined for whatever else it is: that is dropped.
 */
export function inPlaceOfDeep(frame: unknown, depthMax: number): JSONRPCMessage | undefined {
  if (!isObject(frame) || 'method' in frame) return undefined;
  const { id } = frame;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message = `The answer is nested deeper than ${depthMax} levels.`;
  return {
    jsonrpc: '2.0',
    id,
    error: { code: TOO_LARGE_CODE, message, data: { code: 'too_large', depthMax } },
  };
}
