import type { JsonObject } from '../../base/json.ts';

/** Argument names a tool declares, at any depth: using them carries no data. */
export function declaredNames(definition: JsonObject): ReadonlySet<string> {
  const known = KNOWN.get(definition);
  if (known) return known;
  const names = collect(definition['inputSchema']);
  KNOWN.set(definition, names);
  return names;
}

const KNOWN = new WeakMap<object, ReadonlySet<string>>();
const NODES_MAX = 20_000;

function collect(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [schema];
  for (let seen = 0; open.length > 0 && seen < NODES_MAX; seen += 1) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [word, inner] of Object.entries(node)) {
      open.push(inner);
      if (word === 'properties' && typeof inner === 'object' && inner !== null) {
        for (const name of Object.keys(inner)) names.add(name);
      }
    }
  }
  return names;
}
