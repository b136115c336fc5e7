import type { Json, JsonObject } from '../../base/json.ts';
import { ExactNumber } from '../../base/exact-number.ts';

export interface Leaf {
  readonly path: string;
  readonly value: Json;
}

/** Every value in order. Empty lists and objects count as values. */
export function leavesOf(args: JsonObject): readonly Leaf[] {
  const leaves: Leaf[] = [];
  // An explicit stack: nesting depth must not matter.
  const open: Leaf[] = childrenOf('', args).toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const children = childrenOf(next.path, next.value);
    if (children.length === 0) leaves.push(next);
    for (const child of children.toReversed()) open.push(child);
  }
  return leaves;
}

function childrenOf(path: string, value: Json): readonly Leaf[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [];
  const lead = path === '' ? '' : `${path}.`;
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : [{ path: lead + key, value: inner }],
  );
}
