import { isObject } from '../base/json.ts';

export interface SchemaWeight {
  /** Parts looked at for one value, counted once per reference. */
  readonly parts: number;
  /** References back to an ancestor: each level of a value may multiply by these. */
  readonly returns: number;
}

/** Twenty parts that each refer twice to the next make a million checks; unknown references are endless. */
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

export function isAffordable({ parts, returns }: SchemaWeight, args: unknown): boolean {
  // Nearly every real schema ends here.
  if (parts <= PARTS_FREE && returns <= 1) return true;
  const { values, depth } = measure(args);
  return parts * values * (returns > 1 ? returns ** depth : 1) <= WORK_MAX;
}

const PARTS_FREE = 1_000;
/** Parts checked: some tens of milliseconds. */
const WORK_MAX = 1_000_000;

const NOTHING: SchemaWeight = { parts: 0, returns: 0 };
const ONE: SchemaWeight = { parts: 1, returns: 0 };
const RETURN: SchemaWeight = { parts: 1, returns: 1 };
const ENDLESS: SchemaWeight = { parts: Infinity, returns: 0 };
const UNKNOWN: object = {};

/** Only references inside the document are followed. */
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
