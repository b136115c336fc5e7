import type { Dialect, TimeoutField, TextField } from './dialect.ts';
import { mapValues, type Endpoint, type ServerDefinition } from '../definition.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Client } from './client.ts';
import { isJsonObject, withField } from './entry-fields.ts';
import { isWrittenBy } from '../entry/table.ts';
import { writeText } from './translate-text.ts';

/** The reverse of readEntry. Anything that the client can't express is in a warning. */
export function writeEntry(
  client: Client,
  definition: ServerDefinition,
): { readonly entry: JsonObject; readonly warnings: readonly string[] } {
  const { dialect, name, title } = client;
  const warnings: string[] = [];
  const warn = (what: string): void => void warnings.push(`${title} ${what}.`);
  const { timeouts, tools } = definition;
  let entry = writeEndpoint(dialect, reachable(dialect, definition.endpoint, warn), warn);
  const set = (field: string, value: Json): void => void (entry = withField(entry, field, value));
  const setTimeout = (known: TimeoutField | undefined, ms: number | undefined, what: string): void => {
    if (ms === undefined) return;
    if (known) set(known.field, ms / known.unitMs);
    else warn(`has no place for the ${what} timeout of ${ms} ms`);
  };
  const setTools = (field: string | undefined, globs: readonly string[] | undefined, what: string): void => {
    if (!globs) return;
    if (field === undefined) return warn(`has no place for the list of ${what} tools: it will see them all`);
    if (globs.some((glob) => /[*?[{]/.test(glob)))
      warn(`takes the ${what} tools by their full name, without patterns`);
    set(field, globs);
  };
  setTimeout(dialect.startTimeout, timeouts.startMs, 'start');
  setTimeout(dialect.callTimeout, timeouts.callMs, 'call');
  setTools(dialect.allowTools, tools.allow, 'allowed');
  setTools(dialect.denyTools, tools.deny, 'denied');
  if (!definition.enabled && dialect.off) set(dialect.off.field, dialect.off.value);
  else if (!definition.enabled) warn('cannot switch a server off in its file: it will start this one');
  if (dialect.name !== undefined) set(dialect.name, definition.name);
  // Fields this client wrote come back; ours are newer.
  const isOwn = (field: string): boolean =>
    isWrittenBy(field, name) || (definition.source.kind === 'import' && definition.source.name === name);
  const kept = Object.entries(definition.extra);
  entry = merged(Object.fromEntries(kept.filter(([field]) => isOwn(field))), entry);
  for (const what of onlyOurs(definition)) warn(`has no place for ${what}; that holds only in Plugboard`);
  const lost = kept.flatMap(([field]) => (isOwn(field) ? [] : [`“${field}”`]));
  if (lost.length > 0) warn(`has no place for ${lost.join(', ')}`);
  const after = dialect.afterWrite?.(entry);
  return { entry: after?.entry ?? entry, warnings: [...warnings, ...(after?.warnings ?? [])] };
}

type Warn = (what: string) => void;

/** mcp-remote, for clients that can't contact URLs. */
function reachable({ kinds }: Dialect, endpoint: Endpoint, warn: Warn): Endpoint {
  if (endpoint.kind === 'stdio' || 'http' in kinds) return endpoint;
  warn('cannot contact an address itself; mcp-remote, an npm package, does it for it');
  const headers = Object.entries(endpoint.headers).flatMap(([key, value]) => ['--header', `${key}:${value}`]);
  const transport = endpoint.kind === 'sse' ? ['--transport', 'sse-only'] : [];
  const args = ['-y', 'mcp-remote', endpoint.url, ...headers, ...transport];
  return { kind: 'stdio', command: 'npx', args, env: {} };
}

function writeEndpoint({ kinds, fields, placeholders }: Dialect, endpoint: Endpoint, warn: Warn): JsonObject {
  const text = (ours: string, field: TextField, where: string = field): string => {
    const { text: written, lost } = writeText(ours, placeholders, field);
    for (const part of lost)
      warn(`does not read “${part}” in ${where} as it is meant; put the value there by hand`);
    return written;
  };
  const withRecord = (
    base: JsonObject,
    field: 'env' | 'headers',
    texts: Record<string, string>,
  ): JsonObject =>
    Object.keys(texts).length === 0
      ? base
      : withField(
          base,
          fields[field],
          mapValues(texts, (value, key) => text(value, field, `${field}.${key}`)),
        );
  const word = kinds[endpoint.kind];
  if (word === undefined) warn(`is not known to speak “${endpoint.kind}”; it may not reach this server`);
  let entry: JsonObject = typeof word === 'string' ? { type: word } : {};
  if (endpoint.kind !== 'stdio') {
    entry = withField(entry, fields.url, text(endpoint.url, 'url'));
    return withRecord(entry, 'headers', endpoint.headers);
  }
  const command = text(endpoint.command, 'command');
  const args = endpoint.args.map((arg, index) => text(arg, 'args', `args[${index}]`));
  if (fields.args === undefined) entry = withField(entry, fields.command, [command, ...args]);
  else entry = withField(withField(entry, fields.command, command), fields.args, args);
  entry = withRecord(entry, 'env', endpoint.env);
  if (endpoint.cwd === undefined) return entry;
  if (fields.cwd === undefined) warn('may ignore “cwd”, the folder in which the server starts');
  return withField(entry, fields.cwd ?? 'cwd', text(endpoint.cwd, 'cwd'));
}

/** Settings that no other client has. */
function onlyOurs(definition: ServerDefinition): readonly string[] {
  const { timeouts, config } = definition;
  const ours: readonly [string, boolean][] = [
    ['read-only mode', definition.readOnly],
    ['keep-alive', definition.keepAlive],
    ['sharing', definition.sharing !== 'auto'],
    ['the idle timeout', timeouts.idleMs !== undefined],
    ['timeouts of single tools', timeouts.toolMs !== undefined],
    ['values given for inputs', Object.keys(config).length > 0],
    ['permission for dangerous variables', definition.allowDangerousEnv !== undefined],
  ];
  return ours.flatMap(([what, isSet]) => (isSet ? [what] : []));
}

function merged(older: JsonObject, newer: JsonObject): JsonObject {
  const both = Object.entries(newer).map(([field, value]) => {
    const before = older[field];
    return [field, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value];
  });
  return { ...older, ...(Object.fromEntries(both) as JsonObject) };
}
