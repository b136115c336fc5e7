import { defined } from '../../base/defined.ts';
import {
  firstAlias,
  own,
  type Fields,
  ALIASES,
  BUILT_IN_TYPES,
  ENTRY_FIELDS,
  transportOf,
  readTimeouts,
  readTools,
} from './aliases.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { PastedTransport } from './paste.ts';
import { splitWords } from './words.ts';
import type { Draft } from './view.ts';

export type EntryReading =
  | { readonly kind: 'server'; readonly draft: Draft }
  | { readonly kind: 'built-in' }
  | { readonly kind: 'none' };

export function readEntry(raw: unknown, name: string | null): EntryReading {
  if (!isObject(raw)) return { kind: 'none' };
  const fields = flatten(raw);
  const type = firstAlias(fields, 'transport');
  if (typeof type === 'string' && BUILT_IN_TYPES.has(type.toLowerCase())) return { kind: 'built-in' };
  const endpoint = readEndpoint(fields, type);
  if (!endpoint) return { kind: 'none' };
  const tools = readTools(fields);
  const draft = {
    name: name ?? filledText(firstAlias(fields, 'name')) ?? filledText(fields['id']) ?? null,
    ...endpoint,
    ...defined({ disabled: readDisabled(fields), timeouts: readTimeouts(fields), tools }),
    ...(own(fields, 'readOnly') === true ? ({ readOnly: true } as const) : {}),
    extra: readExtra(raw, tools !== undefined),
  };
  return { kind: 'server', draft };
}

/** At least half of the fields must be known. */
export function looksLikeEntry(raw: unknown): raw is Record<string, unknown> {
  if (!isObject(raw)) return false;
  const fields = flatten(raw);
  const keys = Object.keys(fields);
  if (keys.length > 40) return false;
  const url = filledText(firstAlias(fields, 'url'));
  if (firstAlias(fields, 'command') === undefined && !/^[a-z]+:\/\/|^[$<{[]|mcp/i.test(url ?? ''))
    return false;
  return keys.filter((key) => KNOWN.has(key)).length * 2 >= keys.length;
}

const KNOWN: ReadonlySet<string> = new Set([...Object.values(ALIASES).flat(), ...ENTRY_FIELDS]);
/** Objects that some clients put around the endpoint's fields. */
const WRAPPERS =
  'transport config config_template server mcp_config mcpConfig serverConfig server_config connection customParams'.split(
    ' ',
  );

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

function readEndpoint(fields: Fields, type: unknown) {
  const declared = transportOf(type);
  const line = commandLine(fields);
  const url = filledText(firstAlias(fields, 'url'));
  const env = strings(firstAlias(fields, 'env')) ?? {};
  const keys = firstAlias(fields, 'envKeys');
  const asked = Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
  const more = { ...(Object.keys(env).length > 0 ? { env } : {}), ...(asked.length > 0 ? { asked } : {}) };
  if (line && (url === undefined || declared === 'stdio' || declared === undefined)) {
    const cwd = filledText(firstAlias(fields, 'cwd'));
    return { transport: 'stdio' as const, ...line, ...more, ...defined({ cwd }) };
  }
  if (url === undefined) return undefined;
  const headers = readHeaders(fields);
  const httpOnly = filledText(own(fields, 'httpUrl') ?? own(fields, 'http_url')) !== undefined;
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
  const raw = firstAlias(fields, 'command');
  const given = firstAlias(fields, 'args');
  const args = Array.isArray(given)
    ? given.filter((item) => item !== null && typeof item !== 'object').map(String)
    : splitWords(filledText(given) ?? '');
  const line = filledText(raw)?.trim() ?? '';
  const [command, ...rest] = Array.isArray(raw)
    ? raw.filter((item) => typeof item === 'string')
    : isWholeLine(line)
      ? splitWords(line)
      : line === ''
        ? []
        : [line];
  return command === undefined ? undefined : { command, args: [...rest, ...args] };
}

/** A path may contain spaces; a line that starts with a program or continues with flags is split. */
function isWholeLine(command: string): boolean {
  const [head = '', next = ''] = command.split(/\s+/, 2);
  if (next === '') return false;
  if (!/[/\\<{[]/.test(head)) return true;
  return head.startsWith('/') && /^(-|\/|\.\/|run$|-m$)/.test(next);
}

function readHeaders(fields: Fields): Record<string, string> {
  const nested = [own(fields, 'requestInit'), own(fields, 'requestOptions')].find(isObject);
  const given = firstAlias(fields, 'headers');
  const pairs = Object.entries({ ...(nested && strings(own(nested, 'headers'))), ...strings(given) });
  if (Array.isArray(given)) pairs.push(...given.filter((item) => typeof item === 'string').map(headerPair));
  const bearer = filledText(own(fields, 'bearer_token_env_var') ?? own(fields, 'bearerTokenEnvVar'));
  if (bearer !== undefined) pairs.push(['Authorization', `Bearer \${${bearer}}`]);
  for (const [name, variable] of Object.entries(strings(own(fields, 'env_http_headers')) ?? {}))
    pairs.push([name, `\${${variable}}`]);
  const token = filledText(
    own(fields, 'authorization_token') ?? own(fields, 'authorizationToken') ?? own(fields, 'bearerToken'),
  );
  if (token !== undefined)
    pairs.push(['Authorization', /^Bearer\s/i.test(token) ? token : `Bearer ${token}`]);
  return Object.fromEntries(pairs);
}

/** `Name: value` or `Name=value`. */
export function headerPair(line: string): [string, string] {
  const [name, value] = splitPair(line, /[:=]/);
  return [name.trim(), value.trim()];
}

function readDisabled(fields: Fields): boolean | undefined {
  const off = own(fields, 'disabled');
  if (typeof off === 'boolean') return off;
  const on = own(fields, 'enabled') ?? own(fields, 'isActive') ?? own(fields, 'active');
  return typeof on === 'boolean' ? !on : undefined;
}

const TAKEN = new Set<string>([
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
    return Object.fromEntries(pairs.map((pair) => splitPair(pair, '=')));
  }
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** The parts around the first separator; without one, the second is empty. */
export function splitPair(text: string, separator: string | RegExp): [string, string] {
  const at = text.search(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
