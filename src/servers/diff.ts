import { defined } from '../base/defined.ts';
import { type Json, type JsonObject, canonicalJson, isObject } from '../base/json.ts';
import { namesSecret } from '../base/secret-names.ts';
import type { Endpoint, ServerDefinition } from './definition.ts';
import { findPlaceholders } from './placeholders.ts';

/** Without `before` the field is new, without `after` it is gone. */
export interface FieldChange {
  /** `command`, `args[1]`, `env.TOKEN`, `readOnly`, … */
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

export interface ChangedServer {
  readonly id: string;
  /** False when only names, filters, limits and the like changed. */
  readonly restart: boolean;
  readonly fields: readonly FieldChange[];
}

export interface ServersDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedServer[];
  readonly kept: readonly string[];
}

export function diffServers(
  before: readonly ServerDefinition[],
  after: readonly ServerDefinition[],
): ServersDiff {
  const old = new Map(before.map((definition) => [definition.id, definition]));
  const now = new Set(after.map((definition) => definition.id));
  const changed: ChangedServer[] = [];
  const kept: string[] = [];
  for (const definition of after) {
    const previous = old.get(definition.id);
    if (!previous) continue;
    if (canonicalJson(previous) === canonicalJson(definition)) kept.push(definition.id);
    else changed.push(changeOf(previous, definition));
  }
  return {
    added: [...now].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed,
    kept,
  };
}

/** Without `before`, everything is new. */
export function diffFields(
  before: ServerDefinition | undefined,
  after: ServerDefinition,
): readonly FieldChange[] {
  const old = before ? flatten(renderEntry(before)) : new Map<string, string>();
  const now = flatten(renderEntry(after));
  const fields = [...new Set([...now.keys(), ...old.keys()])];
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .map((field) => fieldChange(field, old.get(field), now.get(field)));
}

function changeOf(before: ServerDefinition, after: ServerDefinition): ChangedServer {
  const fields = [...diffFields(before, after)];
  const nameOf = ({ source }: ServerDefinition): string => source.file ?? source.kind;
  if (canonicalJson(before.source) !== canonicalJson(after.source))
    fields.push(fieldChange('source', nameOf(before), nameOf(after)));
  return { id: after.id, restart: runsAs(before) !== runsAs(after), fields };
}

/** Everything a live connection depends on. */
function runsAs({ endpoint, config, auth, sharing }: ServerDefinition): string {
  return canonicalJson({ endpoint, config, auth, sharing });
}

function flatten(entry: JsonObject): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  const add = (field: string, value: unknown): void => {
    const inner: readonly (readonly [string, unknown])[] = Array.isArray(value)
      ? value.map((item: unknown, index) => [`${field}[${index}]`, item] as const)
      : isObject(value)
        ? Object.entries(value).map(([key, item]) => [`${field}.${key}`, item] as const)
        : [];
    if (inner.length === 0) flat.set(field, typeof value === 'string' ? value : JSON.stringify(value));
    for (const [name, item] of inner) add(name, item);
  };
  for (const [field, value] of Object.entries(entry)) add(field, value);
  return flat;
}

function fieldChange(field: string, before: string | undefined, after: string | undefined): FieldChange {
  const show = (value: string | undefined) => (value === undefined ? undefined : shown(field, value));
  return { field, ...defined({ before: show(before), after: show(after) }) };
}

/** A literal secret is hidden; placeholders are names, and are shown. */
function shown(field: string, value: string): string {
  const [, name] = /^(?:env|headers|config)\.([^]*)$/.exec(field) ?? [];
  const secret = name !== undefined && namesSecret(name) && findPlaceholders(value).length === 0;
  return secret ? '[secret]' : value;
}

/** The reverse of parseEntry, unknown fields included. */
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

function whole(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}

function inside(extra: JsonObject, field: string): JsonObject {
  const value = extra[field];
  return isObject(value) ? value : {};
}
