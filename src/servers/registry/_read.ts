import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** Lenient reading: a field of the wrong type counts as absent. */

export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** For names and URLs; longer text counts as absent. */
export function shortTextOf(value: unknown): string | undefined {
  const text = filledText(value);
  return text === undefined || text.length > SHORT_CHARS_MAX ? undefined : text;
}

const SHORT_CHARS_MAX = 2_048;

/** Publishers also write numbers and booleans. */
export function scalarOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, limits.registryItemsMax) : [];
}

export function objectsOf(value: unknown): readonly Record<string, unknown>[] {
  return listOf(value).filter(isObject);
}

export function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

export function restOf(object: Readonly<Record<string, unknown>>, known: readonly string[]): JsonObject {
  const rest = Object.entries(object).filter(([key]) => !known.includes(key));
  return Object.fromEntries(rest) as JsonObject; // it was parsed from JSON
}
