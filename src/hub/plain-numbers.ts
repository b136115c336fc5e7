import { withPlainNumbers } from '../base/exact-number.ts';
import { isObject } from '../base/json.ts';
import type { Hub } from './hub.ts';

/** The hub as a program sees it: every number in an answer is JavaScript's, as after `JSON.parse`. */
export function hubWithPlainNumbers(hub: Hub): Hub {
  const parts = Object.entries(hub).map(([name, part]: [string, unknown]) => [
    name,
    isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([method, run]) => [method, plain(run as Method)]))
      : part,
  ]);
  // The same names, each with a method of the same type.
  return {
    ...(Object.fromEntries(parts) as Hub),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;
type Told = (note: unknown) => void;

function plain(run: Method): Method {
  return async (...args) => withPlainNumbers(await run(...args.map(toldPlainly)));
}

function toldPlainly(arg: unknown): unknown {
  if (!isObject(arg) || typeof arg['onProgress'] !== 'function') return arg;
  const told = arg['onProgress'] as Told; // as the caller gave it
  return { ...arg, onProgress: (note: unknown) => told(withPlainNumbers(note)) };
}
