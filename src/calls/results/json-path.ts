import { FunctionExpressionType, JSONPathEnvironment, JSONPathError } from 'json-p3';
import { withPlainNumbers } from '../../base/exact-number.ts';
import type { FilterFunction, JSONValue } from 'json-p3';
import { RE2JS } from 're2js';
import { PlugError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import { excerptOf } from './excerpt.ts';
import { roughChars } from './weigh.ts';

export interface PathFound {
  readonly found: readonly { readonly path: string; readonly value: unknown }[];
  readonly truncated: boolean;
}

/** RFC 9535, bounded in number and size. */
export function findPath(result: JsonObject, path: string, limits: Limits): PathFound {
  const found: { path: string; value: unknown }[] = [];
  let room = limits.resultPathCharsMax;
  try {
    // Filters compare JavaScript's numbers; what is found is shown as the server wrote it.
    const plain = withPlainNumbers(result);
    for (const node of environment().lazyQuery(path, plain as JSONValue)) {
      if (found.length >= limits.resultPathsFoundMax || room <= 0) return { found, truncated: true };
      const whole = (plain === result ? node.value : valueAt(result, node.location)) as Json; // a part of a JSON value
      const value = excerptOf(whole, room);
      room -= roughChars(value, room) + 1;
      found.push({ path: node.getPath(), value });
      if (value !== whole) return { found, truncated: true };
    }
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new PlugError('usage', `“${path}” cannot be used as a JSONPath: ${error.message}.`, {
      owner: 'you',
      remedy: 'Write a path such as $.structuredContent.items[0].name or $..name.',
    });
  }
  return { found, truncated: false };
}

function valueAt(result: unknown, location: readonly (string | number)[]): unknown {
  // It was found there in a value of the same shape.
  return location.reduce((inner, key) => (inner as Record<string | number, unknown>)[key], result);
}

/** With RE2: the library's own regular expressions can be made endless. */
function environment(): JSONPathEnvironment {
  const own = new JSONPathEnvironment();
  own.functionRegister.set('match', matching(true));
  own.functionRegister.set('search', matching(false));
  return own;
}

function matching(whole: boolean): FilterFunction {
  const compiled = new Map<string, RE2JS | undefined>();
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) => {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      if (!compiled.has(pattern)) compiled.set(pattern, compile(whole ? `^(?:${pattern})$` : pattern));
      return compiled.get(pattern)?.test(text) ?? false;
    },
  };
}

/** RFC 9535: an invalid regular expression matches nothing. */
function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
