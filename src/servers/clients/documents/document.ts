import { isObject } from '../../../base/json.ts';

export type Syntax = 'json' | 'yaml' | 'toml' | 'elisp';

/** Names from the root down to a value; in a list, the index as text. */
export type KeyPath = readonly string[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A client's config file as data, with positions. */
export interface Document {
  value(path: KeyPath): unknown;
  position(path: KeyPath): Position | undefined;
}

export type ParsedDocument =
  | { readonly kind: 'ok'; readonly document: Document }
  | ({ readonly kind: 'malformed'; readonly reason: string } & Position);

/** Own properties only: `constructor` finds nothing. */
export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Turns dates and the like into JSON values; no name can reach a prototype. */
export function plain(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Lines are counted once, and only on demand. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (end) => end.index + end[0].length)];
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
