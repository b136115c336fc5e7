import type { Json } from '../../base/json.ts';
import { LenientParser, NotJson } from './lenient-parser.ts';
import type { Budget } from './view.ts';

export interface LenientResult {
  readonly value: Json;
  readonly end: number;
  /** What was wrong, by offset. Comments are no damage. */
  readonly changes: readonly { readonly at: number; readonly what: string }[];
  /** The text ended before the value did. */
  readonly truncated: boolean;
  /** Where each object starts, for line numbers. */
  readonly places: WeakMap<object, number>;
}

/**
 * Reads one JSON value from `from` on, or, with `members`, the members of an object whose
 * braces are missing. Undefined when it is no JSON at all, however generously read.
 */
export function readLenientJson(
  text: string,
  from: number,
  { members = false, budget }: { readonly members?: boolean; readonly budget: Budget },
): LenientResult | undefined {
  const parser = new LenientParser(text, from, budget);
  try {
    const value = members ? parser.looseMembers() : parser.value();
    return {
      value,
      end: parser.at,
      changes: parser.changes,
      truncated: parser.truncated,
      places: parser.places,
    };
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}
