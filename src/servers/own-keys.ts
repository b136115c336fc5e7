import type { ServerDefinition } from './definition.ts';

/** The keys in the vault that are a server's own, by field: each of its accounts may have its own. */
export function ownKeys(definition: ServerDefinition): readonly string[] {
  const known = FOUND.get(definition);
  if (known) return known;
  const { id, endpoint } = definition;
  const names = [...JSON.stringify(endpoint).matchAll(REFERENCE)].map(([, name = '']) => name);
  const fields = names.filter((name) => name.startsWith(`${id}/`)).map((name) => name.slice(id.length + 1));
  const own = [...new Set(fields.filter((field) => !field.includes('/')))];
  FOUND.set(definition, own);
  return own;
}

/** What a person gives for an account: of a key that is also kept for addresses, one is enough. */
export function keyFields(definition: ServerDefinition): readonly string[] {
  return [...new Set(ownKeys(definition).map((field) => field.replace(/\.url$/, '')))];
}

/** Every call asks. */
const FOUND = new WeakMap<ServerDefinition, readonly string[]>();

const REFERENCE = /\$\{vault:([^}"\\]+)\}/g;
