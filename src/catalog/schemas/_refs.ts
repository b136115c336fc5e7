import type { Repairs } from './_repairs.ts';
import { IN_PLACE, eachSubschema, followPointer, type Schema } from './positions.ts';

/** Removes references that lead nowhere, or in a circle without reaching a smaller value. */
export function mendRefs(root: Schema, repairs: Repairs): Schema {
  const schemas = allSchemas(root);
  const targets = new Map<Schema, Schema>();
  const bad = new Map<Schema, string>();
  const anchors = new Map<unknown, Schema>();
  for (const schema of schemas) {
    if (typeof schema['$anchor'] === 'string') anchors.set(`#${schema['$anchor']}`, schema);
  }
  for (const schema of schemas) {
    const ref = schema['$ref'];
    if (typeof ref !== 'string') continue;
    const found = anchors.get(ref) ?? followPointer(root, ref);
    // Only schema positions were checked.
    if (schemas.has(found as Schema)) targets.set(schema, found as Schema);
    else if (typeof found !== 'boolean') bad.set(schema, 'points to no schema and was left out');
  }
  for (const schema of endless(targets)) bad.set(schema, 'leads back to itself and was left out');
  if (bad.size === 0) return root;
  return withoutBad(root, bad, repairs);
}

function allSchemas(root: Schema): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const waiting: Schema[] = [root];
  for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
    if (found.has(schema)) continue;
    found.add(schema);
    eachSubschema(schema, (subschema) => waiting.push(subschema));
  }
  return found;
}

function endless(targets: ReadonlyMap<Schema, Schema>): readonly Schema[] {
  const circles = numberCircles(targets.keys(), (schema) => sameValue(schema, targets));
  return [...targets].flatMap(([schema, target]) =>
    circles.get(schema) === circles.get(target) ? [schema] : [],
  );
}

function sameValue(schema: Schema, targets: ReadonlyMap<Schema, Schema>): Schema[] {
  const edges: Schema[] = [];
  eachSubschema(schema, (subschema, keyword) => {
    if (IN_PLACE.has(keyword) || keyword === 'dependencies') edges.push(subschema);
  });
  const target = targets.get(schema);
  if (target) edges.push(target);
  return edges;
}

/** The depth was checked: recursion is safe. */
function withoutBad(value: unknown, bad: ReadonlyMap<Schema, string>, repairs: Repairs): Schema;
function withoutBad(value: unknown, bad: ReadonlyMap<Schema, string>, repairs: Repairs): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withoutBad(each, bad, repairs));
  // JSON, and neither primitive nor array.
  const schema = value as Schema;
  const reason = bad.get(schema);
  const entries = Object.entries(schema).flatMap(([key, inner]): [string, unknown][] => {
    if (reason !== undefined && key === '$ref') {
      repairs.add(reason, key);
      return [];
    }
    repairs.enter(key);
    const entry: [string, unknown] = [key, withoutBad(inner, bad, repairs)];
    repairs.leave();
    return [entry];
  });
  return Object.fromEntries(entries);
}

interface Frame<T> {
  readonly node: T;
  readonly edges: T[];
}

/** Strongly connected components (Tarjan): equal numbers for nodes that reach each other. */
function numberCircles<T>(starts: Iterable<T>, edgesOf: (node: T) => readonly T[]): ReadonlyMap<T, number> {
  const circles = new Map<T, number>();
  const order = new Map<T, number>();
  const lowest = new Map<T, number>();
  const pending: T[] = [];
  for (const start of starts) {
    if (order.has(start)) continue;
    // An explicit stack for long chains.
    const stack: Frame<T>[] = [];
    const open = (node: T): void => {
      order.set(node, order.size);
      lowest.set(node, order.size - 1);
      pending.push(node);
      stack.push({ node, edges: [...edgesOf(node)] });
    };
    const lower = (node: T, to: number): void => void lowest.set(node, Math.min(lowest.get(node) ?? to, to));
    open(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.edges.pop();
      if (next !== undefined) {
        if (!order.has(next)) open(next);
        else if (!circles.has(next)) lower(top.node, order.get(next) ?? 0);
        continue;
      }
      stack.pop();
      const low = lowest.get(top.node) ?? 0;
      const parent = stack.at(-1);
      if (parent) lower(parent.node, low);
      if (low !== order.get(top.node)) continue;
      for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
        circles.set(node, low);
        if (node === top.node) break;
      }
    }
  }
  return circles;
}
