import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Endpoint, ServerDefinition } from './definition.ts';

/**
 * The reverse of parseEntry: what belongs under the server's id in an `mcpServers` map.
 * Reading it again gives the same definition, unknown fields included.
 */
export function renderEntry(definition: ServerDefinition): JsonObject {
  const { timeouts, tools, extra } = definition;
  const fields: readonly [string, Json | undefined][] = [
    ['name', definition.name === definition.id ? undefined : definition.name],
    ...renderEndpoint(definition.endpoint),
    ['disabled', definition.enabled ? undefined : true],
    ['auth', definition.auth === 'unknown' ? undefined : definition.auth],
    ['package', whole({ ...inside(extra, 'package'), ...definition.package })],
    ['config', whole({ ...definition.config })],
    ['timeouts', whole({ ...inside(extra, 'timeouts'), ...timeouts })],
    ['tools', whole({ ...inside(extra, 'tools'), ...tools })],
    ['readOnly', definition.readOnly || undefined],
    ['keepAlive', definition.keepAlive || undefined],
    ['allowDangerousEnv', definition.allowDangerousEnv],
    ['sharing', definition.sharing === 'auto' ? undefined : definition.sharing],
  ];
  const rendered = fields.filter(([, value]) => value !== undefined);
  const taken = new Set(rendered.map(([field]) => field));
  return Object.fromEntries([...rendered, ...Object.entries(extra).filter(([field]) => !taken.has(field))]);
}

function renderEndpoint(endpoint: Endpoint): readonly [string, Json | undefined][] {
  if (endpoint.kind !== 'stdio') {
    return [
      ['type', endpoint.kind],
      ['url', endpoint.url],
      ['headers', whole(endpoint.headers)],
    ];
  }
  return [
    ['command', endpoint.command],
    ['args', endpoint.args.length > 0 ? endpoint.args : undefined],
    ['env', whole(endpoint.env)],
    ['cwd', endpoint.cwd],
  ];
}

/** An empty object says nothing: it is left out. */
function whole(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}

function inside(extra: JsonObject, field: string): JsonObject {
  const value = extra[field];
  return isObject(value) ? value : {};
}
