import { isObject } from '../base/json.ts';

/** How much work a schema can make of one value. */
export interface SchemaWeight {
  /** Parts that may be looked at for one value, each as often as references lead to it. */
  readonly parts: number;
  /** References that lead back to where they came from: each level of a value may multiply by these. */
  readonly returns: number;
}

/**
 * Weighs a schema without running it: twenty lines that each refer to the next one twice are a million
 * choices, and a check would take minutes. A reference that is not followed here weighs more than any bound.
 */
export function weighSchema(schema: object): SchemaWeight {
  const known = new Map<object, SchemaWeight>();
  const open = new Set<object>();

  const weigh = (node: unknown): SchemaWeight => {
    if (typeof node !== 'object' || node === null) return NOTHING;
    const before = known.get(node);
    if (before) return before;
    if (open.has(node)) return RETURN;
    open.add(node);
    let { parts, returns } = ONE;
    for (const [key, value] of Object.entries(node)) {
      const isReference = (key === '$ref' || key === '$dynamicRef') && typeof value === 'string';
      const inside = isReference ? weigh(target(schema, value) ?? UNKNOWN) : weigh(value);
      parts += inside.parts;
      returns += inside.returns;
    }
    open.delete(node);
    const weight = node === UNKNOWN ? ENDLESS : { parts, returns };
    known.set(node, weight);
    return weight;
  };
  return weigh(schema);
}

/** Whether these arguments can be checked in a moment. */
export function isAffordable({ parts, returns }: SchemaWeight, args: unknown): boolean {
  // Nearly every schema of a real tool ends here.
  if (parts <= PARTS_FREE && returns <= 1) return true;
  const { values, depth } = measure(args);
  return parts * values * (returns > 1 ? returns ** depth : 1) <= WORK_MAX;
}

const PARTS_FREE = 1_000;
/** Looks at a part of a schema: some tens of milliseconds. */
const WORK_MAX = 1_000_000;

const NOTHING: SchemaWeight = { parts: 0, returns: 0 };
const ONE: SchemaWeight = { parts: 1, returns: 0 };
const RETURN: SchemaWeight = { parts: 1, returns: 1 };
const ENDLESS: SchemaWeight = { parts: Infinity, returns: 0 };
const UNKNOWN: object = {};

/** What a reference inside the document points to; anything else is not followed. */
function target(schema: object, reference: string): object | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let node: unknown = schema;
  for (const step of reference.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[name];
  }
  return typeof node === 'object' && node !== null ? node : EMPTY;
}

/** `true` and `false` are schemas too, and weigh nothing. */
const EMPTY: object = Object.freeze({ empty: true });

function measure(value: unknown): { readonly values: number; readonly depth: number } {
  const inside: readonly unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value)
      : [];
  let [values, depth] = [1, 0];
  for (const each of inside) {
    const found = measure(each);
    values += found.values;
    depth = Math.max(depth, found.depth + 1);
  }
  return { values, depth };
}
