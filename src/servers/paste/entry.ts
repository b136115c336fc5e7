import { isObject, type JsonObject } from '../../base/json.ts';
import { endpointTexts, readFields } from '../entry/fields.ts';
import { KNOWN_FIELDS } from '../entry/table.ts';
import type { Draft } from './view.ts';

export { transportOfUrl } from '../entry/kinds.ts';
export { headerPair, splitPair } from '../entry/pairs.ts';

export type EntryReading =
  | { readonly kind: 'server'; readonly draft: Draft }
  | { readonly kind: 'built-in' }
  | { readonly kind: 'none' };

/** A wrong field is no reason to refuse a paste: it is kept, and said. */
export function readEntry(raw: unknown, name: string | null): EntryReading {
  if (!isObject(raw)) return { kind: 'none' };
  const { ['__proto__']: _never, ...entry } = raw as JsonObject; // from a JSON, TOML or YAML parser
  const reading = readFields(entry, { strict: false });
  if (reading.kind !== 'server') return reading;
  const { title, ...fields } = reading.fields;
  const id = typeof raw['id'] === 'string' && raw['id'] !== '' ? raw['id'] : undefined;
  const draft = { name: name ?? title ?? id ?? null, ...fields, ...(title === undefined ? {} : { title }) };
  return { kind: 'server', draft };
}

/** At least half of the fields must be known. */
export function looksLikeEntry(raw: unknown): raw is Record<string, unknown> {
  if (!isObject(raw)) return false;
  const { command, url, names } = endpointTexts(raw as JsonObject); // from a JSON, TOML or YAML parser
  if (names.length > 40) return false;
  const address = typeof url === 'string' ? url : '';
  // `docs://readme` is the address of a resource, and `...` of nothing.
  if (command === undefined && !/^(?:(?:http|ws)s?|file|unix):\/\/|^[$<{[]|mcp(?!:\/\/)/i.test(address))
    return false;
  return names.filter((key) => KNOWN_FIELDS.has(key)).length * 2 >= names.length;
}
