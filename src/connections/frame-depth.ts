import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { plainNumber } from '../base/exact-number.ts';
import { isDeeper } from '../base/json-shape.ts';
import { isObject } from '../base/json.ts';

/** Of the answer that we deliver in place of one that was too large or too deep. */
export const TOO_LARGE_CODE = -32_099;

type Handlers = Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>;

/** Parsing takes any depth; writing JSON and looking for secrets do not. So no deep frame gets past here. */
export function relay(
  inner: Transport,
  outer: Handlers,
  { depthMax, numbers, onFrame, onclose }: RelayOptions,
): void {
  Object.assign(inner, {
    onmessage: (given, extra) => {
      const message = numbers.restore(given);
      onFrame?.(message);
      const read = isDeeper(message, depthMax) ? inPlaceOfDeep(message, depthMax) : message;
      if (read) outer.onmessage?.(read, extra);
      else outer.onerror?.(new Error('A message was nested too deeply; it was thrown away.'));
    },
    onerror: (error) => outer.onerror?.(error),
    onclose,
  } satisfies Handlers);
}

interface RelayOptions {
  readonly depthMax: number;
  readonly numbers: { readonly restore: <T>(message: T) => T };
  readonly onFrame?: (message: JSONRPCMessage) => void;
  readonly onclose: () => void;
}

/** An error for the call that a too deep frame answers; undefined for any other frame, which is dropped. */
export function inPlaceOfDeep(frame: unknown, depthMax: number): JSONRPCMessage | undefined {
  if (!isObject(frame) || 'method' in frame) return undefined;
  const id = plainNumber(frame['id']); // requests of ours have plain ids
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message = `The answer is nested deeper than ${depthMax} levels.`;
  const error = { code: TOO_LARGE_CODE, message, data: { code: 'too_large', depthMax } };
  return { jsonrpc: '2.0', id, error };
}
