import { isObject, type Json, type JsonObject } from '../base/json.ts';

export interface Uris {
  out(server: string, uri: string): string;
  back(uri: string): ServerUri | undefined;
}

export interface ServerUri {
  readonly server: string;
  readonly uri: string;
}

export function ownUris(only: string): Uris {
  return { out: (_server, uri) => uri, back: (uri) => ({ server: only, uri }) };
}

/** `plug://SERVER/ADDRESS`: servers may share addresses. `ui://` is kept, since hosts recognize it. */
export const namespacedUris: Uris = {
  out: (server, uri) =>
    uri.startsWith('ui://')
      ? `ui://${HOST}/${server}/${uri.slice('ui://'.length)}`
      : `plug://${server}/${uri}`,
  back: (uri) => {
    const [, uiServer, rest] = UI.exec(uri) ?? [];
    if (uiServer !== undefined && rest !== undefined) return { server: uiServer, uri: `ui://${rest}` };
    const [, server, original] = PLUG.exec(uri) ?? [];
    return server === undefined || original === undefined ? undefined : { server, uri: original };
  },
};

const HOST = 'plug';
const UI = /^ui:\/\/plug\/([^/]+)\/(.*)$/s;
const PLUG = /^plug:\/\/([^/]+)\/(.+)$/s;

type MapUri = (uri: string) => string;

/** Rewrites strings that are whole addresses of ours. */
export function mapArguments(args: JsonObject, map: (text: string) => string | undefined): JsonObject {
  return walk(args, map, 0) as JsonObject; // an object stays an object
}

const DEPTH_MAX = 12;
const ADDRESS = new Set(['uri', 'uriTemplate', 'resourceUri', 'ui/resourceUri']);
const WITHIN = new Set(['content', 'contents', 'resource', 'messages', 'ui', '_meta', 'skills', 'entries']);

/** Rewrites addresses where the specification has them, not in texts or structured content. */
export function mapUris(value: JsonObject, map: MapUri, depth = 0): JsonObject {
  if (depth > DEPTH_MAX) return value;
  let changed: Record<string, Json | undefined> | undefined;
  for (const key in value) {
    const inner = value[key];
    let next = inner;
    if (typeof inner === 'string') {
      if (ADDRESS.has(key)) next = map(inner);
    } else if (typeof inner === 'object' && inner !== null && WITHIN.has(key)) {
      next = Array.isArray(inner)
        ? mappedList(inner as readonly Json[], map, depth + 1)
        : isObject(inner)
          ? mapUris(inner, map, depth + 1)
          : inner;
    }
    if (next === inner) continue;
    changed ??= { ...value };
    changed[key] = next;
  }
  return changed ?? value;
}

function mappedList(list: readonly Json[], map: MapUri, depth: number): readonly Json[] {
  let changed: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = isObject(item) ? mapUris(item, map, depth) : item;
    if (next === item) continue;
    changed ??= [...list];
    changed[index] = next;
  }
  return changed ?? list;
}

function walk(
  value: Json | undefined,
  map: (text: string) => string | undefined,
  depth: number,
): Json | undefined {
  if (typeof value === 'string') return map(value) ?? value;
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const next = list.map((item) => walk(item, map, depth + 1) as Json); // an item is never undefined
    return next.some((item, index) => item !== list[index]) ? next : value;
  }
  let changed: Record<string, Json | undefined> | undefined;
  const object = value as JsonObject;
  for (const key of Object.keys(object)) {
    const next = walk(object[key], map, depth + 1);
    if (next === object[key]) continue;
    changed ??= { ...object };
    changed[key] = next;
  }
  return changed ?? value;
}
