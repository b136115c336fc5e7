import { defined } from '../../base/defined.ts';
import { type JsonObject, isObject } from '../../base/json.ts';
import { EACH, type Client, type ClientPlace } from './client.ts';
import type { Document, KeyPath } from './documents/document.ts';

export interface FoundEntry {
  readonly key: string;
  readonly value: unknown;
  readonly path: KeyPath;
  /** Why it can't be imported. */
  readonly leftOut?: string;
  readonly project?: string;
}

export function entriesOf(document: Document, place: ClientPlace, client: Client): readonly FoundEntry[] {
  const isServer = client.dialect.isServer ?? ((): boolean => true);
  return containersOf(document, place.container).flatMap(({ path, project }) => {
    const beside = project === undefined ? {} : { project };
    return itemsOf(document.value(path))
      .map(([key, value, step]) => ({
        key,
        value,
        path: [...path, step],
        ...beside,
        ...defined({ leftOut: client.leftOut?.(value) }),
      }))
      .filter(({ key, value, leftOut }) => leftOut !== undefined || isServer(value, key));
  });
}

function containersOf(
  document: Document,
  container: KeyPath,
): readonly { path: KeyPath; project?: string }[] {
  const at = container.indexOf(EACH);
  if (at < 0) return [{ path: container }];
  const outer = document.value(container.slice(0, at));
  if (!isObject(outer)) return [];
  return Object.keys(outer).map((project) => ({ path: container.with(at, project), project }));
}

/** Name, entry and step in the path, from a map by name or a list whose items carry theirs. */
function itemsOf(container: unknown): readonly (readonly [string, unknown, string])[] {
  if (Array.isArray(container)) {
    return container.map((item: unknown, index) => {
      const name = isObject(item) ? item['name'] : undefined;
      return [typeof name === 'string' ? name : `server-${index + 1}`, item, String(index)];
    });
  }
  // An object with a `type` is a server itself, not a map of servers.
  if (!isObject(container) || typeof container['type'] === 'string') return [];
  return Object.entries(container).map(([key, value]) => [key, value, key]);
}

/** Inputs that a file declares at its top. */
export function inputsOf(document: Document): readonly JsonObject[] {
  const inputs = document.value(['inputs']);
  return Array.isArray(inputs) ? inputs.filter((input): input is JsonObject => isObject(input)) : [];
}
