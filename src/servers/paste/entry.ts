import { isObject, type JsonObject } from '../../base/json.ts';
import { ALIASES, BUILT_IN_TYPES, ENTRY_FIELDS, transportOf, type FieldName } from './aliases.ts';
import { readTimeouts, readTools } from './entry-settings.ts';
import type { PastedTransport } from './paste.ts';
import { splitWords } from './words.ts';
import type { Draft } from './view.ts';

export type EntryReading =
  | { readonly kind: 'server'; readonly draft: Draft }
  | { readonly kind: 'built-in' }
  | { readonly kind: 'none' };

type Fields = Readonly<Record<string, unknown>>;

export function readEntry(raw: unknown, name: string | null): EntryReading {
  if (!isObject(raw)) return { kind: 'none' };
  const fields = flatten(raw);
  const type = first(fields, 'transport');
  if (typeof type === 'string' && BUILT_IN_TYPES.has(type.toLowerCase())) return { kind: 'built-in' };
  const given = text(first(fields, 'name'));
  const draft = readEndpoint(fields, type);
  if (!draft) return { kind: 'none' };
  const disabled = readDisabled(fields);
  const timeouts = readTimeouts(fields);
  const tools = readTools(fields);
  const readOnly = own(fields, 'readOnly') === true;
  return {
    kind: 'server',
    draft: {
      name: name ?? given ?? text(fields['id']) ?? null,
      ...draft,
      ...(disabled === undefined ? {} : { disabled }),
      ...(timeouts ? { timeouts } : {}),
      ...(tools ? { tools } : {}),
      ...(readOnly ? { readOnly } : {}),
      extra: readExtra(raw, tools !== undefined),
    },
  };
}

/** At least half of the fields must be known. */
export function looksLikeEntry(raw: unknown): raw is Record<string, unknown> {
  if (!isObject(raw)) return false;
  const fields = flatten(raw);
  const keys = Object.keys(fields);
  if (keys.length > 40) return false;
  const command = first(fields, 'command');
  const url = text(first(fields, 'url'));
  if (command === undefined && url === undefined) return false;
  if (command === undefined && !/^[a-z]+:\/\/|^[$<{[]|mcp/i.test(url ?? '')) return false;
  const known = keys.filter((key) => KNOWN.has(key)).length;
  return known * 2 >= keys.length;
}

const KNOWN: ReadonlySet<string> = new Set([...Object.values(ALIASES).flat(), ...ENTRY_FIELDS]);
/** Objects that some clients put around the endpoint's fields. */
const WRAPPERS = [
  'transport',
  'config',
  'config_template',
  'server',
  'mcp_config',
  'mcpConfig',
  'serverConfig',
  'server_config',
  'connection',
  'customParams',
];

/** Fields of wrapper objects count as the entry's own, unless it has them itself. */
function flatten(raw: Fields): Fields {
  let fields: Fields = raw;
  for (const wrapper of WRAPPERS) {
    const inner = own(fields, wrapper);
    if (isObject(inner))
      fields = { ...inner, ...Object.fromEntries(Object.entries(fields).filter(([key]) => key !== wrapper)) };
  }
  const command = own(fields, 'command');
  if (isObject(command)) {
    const { path, command: inner, ...rest } = command;
    fields = { ...fields, ...rest, command: path ?? inner };
  }
  return fields;
}

type EndpointDraft = Pick<
  Draft,
  'transport' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'asked'
>;

function readEndpoint(fields: Fields, type: unknown): EndpointDraft | undefined {
  const declared = transportOf(type);
  const line = commandLine(fields);
  const url = text(first(fields, 'url'));
  const env = strings(first(fields, 'env'));
  const keys = first(fields, 'envKeys');
  const names = Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
  const more = {
    ...(env && Object.keys(env).length > 0 ? { env } : {}),
    ...(names.length > 0 ? { asked: names } : {}),
  };
  if (line && (url === undefined || declared === 'stdio' || declared === undefined)) {
    const cwd = text(first(fields, 'cwd'));
    return { transport: 'stdio', ...line, ...more, ...(cwd === undefined ? {} : { cwd }) };
  }
  if (url === undefined) return undefined;
  const headers = readHeaders(fields);
  const httpOnly = text(own(fields, 'httpUrl') ?? own(fields, 'http_url')) !== undefined;
  const transport = declared === 'stdio' ? undefined : declared;
  return {
    transport: transport ?? (httpOnly ? 'http' : transportOfUrl(url)),
    url,
    ...more,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

/** `/sse` at the end of the path is the old transport. */
export function transportOfUrl(url: string): PastedTransport {
  if (/^wss?:/i.test(url)) return 'ws';
  return /\/sse\/?(?:[?#]|$)/i.test(url) ? 'sse' : 'http';
}

function commandLine(fields: Fields): { command: string; args: readonly string[] } | undefined {
  const raw = first(fields, 'command');
  const given = first(fields, 'args');
  const args = Array.isArray(given)
    ? given.filter((item) => item !== null && typeof item !== 'object').map(String)
    : typeof given === 'string' && given.trim() !== ''
      ? splitWords(given)
      : [];
  if (Array.isArray(raw)) {
    const [command, ...rest] = raw.filter((item) => typeof item === 'string');
    return command === undefined ? undefined : { command, args: [...rest, ...args] };
  }
  const command = text(raw)?.trim();
  if (command === undefined || command === '') return undefined;
  if (!isWholeLine(command)) return { command, args };
  const [head, ...rest] = splitWords(command);
  return head === undefined ? undefined : { command: head, args: [...rest, ...args] };
}

/** A path may contain spaces; a line that starts with a program or continues with flags is split. */
function isWholeLine(command: string): boolean {
  const [head = '', next = ''] = command.split(/\s+/, 2);
  if (next === '') return false;
  if (!/[/\\<{[]/.test(head)) return true;
  return head.startsWith('/') && /^(-|\/|\.\/|run$|-m$)/.test(next);
}

function readHeaders(fields: Fields): Record<string, string> {
  const nested = [own(fields, 'requestInit'), own(fields, 'requestOptions')]
    .filter(isObject)
    .map((outer) => own(outer, 'headers'));
  const headers = { ...strings(nested[0]), ...strings(first(fields, 'headers')) };
  const list = first(fields, 'headers');
  const pairs: [string, string][] = Object.entries(headers);
  if (Array.isArray(list)) pairs.push(...list.filter((item) => typeof item === 'string').map(headerPair));
  const bearer = text(own(fields, 'bearer_token_env_var') ?? own(fields, 'bearerTokenEnvVar'));
  if (bearer !== undefined) pairs.push(['Authorization', `Bearer \${${bearer}}`]);
  for (const [name, variable] of Object.entries(strings(own(fields, 'env_http_headers')) ?? {}))
    pairs.push([name, `\${${variable}}`]);
  const token = text(
    own(fields, 'authorization_token') ?? own(fields, 'authorizationToken') ?? own(fields, 'bearerToken'),
  );
  if (token !== undefined)
    pairs.push(['Authorization', /^Bearer\s/i.test(token) ? token : `Bearer ${token}`]);
  return Object.fromEntries(pairs);
}

/** `Name: value` or `Name=value`. */
export function headerPair(line: string): [string, string] {
  const split = line.search(/[:=]/);
  return split < 0 ? [line.trim(), ''] : [line.slice(0, split).trim(), line.slice(split + 1).trim()];
}

function readDisabled(fields: Fields): boolean | undefined {
  const off = own(fields, 'disabled');
  if (typeof off === 'boolean') return off;
  const on = own(fields, 'enabled') ?? own(fields, 'isActive') ?? own(fields, 'active');
  return typeof on === 'boolean' ? !on : undefined;
}

const TAKEN: ReadonlySet<string> = new Set<string>([
  ...Object.values(ALIASES).flat(),
  'disabled',
  'enabled',
  'isActive',
  '__proto__',
]);

function readExtra(raw: Fields, hasTools: boolean): JsonObject {
  const isTaken = (key: string): boolean =>
    TAKEN.has(key) || (key === 'tools' && hasTools) || (key === 'readOnly' && raw[key] === true);
  // From a JSON, TOML or YAML parser.
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !isTaken(key))) as JsonObject;
}

function strings(value: unknown): Record<string, string> | undefined {
  if (Array.isArray(value)) {
    const pairs = value.filter((item): item is string => typeof item === 'string' && item.includes('='));
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  }
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function first(fields: Fields, field: FieldName): unknown {
  for (const alias of ALIASES[field]) {
    const value = own(fields, alias);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
