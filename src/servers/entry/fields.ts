import { defined } from '../../base/defined.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ClientName } from '../clients/client.ts';
import type { Endpoint } from '../definition.ts';
import { splitWords } from '../paste/words.ts';
import { checkFlag, checkText, checkTexts, wrong } from './checks.ts';
import { type DeclaredInput, readInputList } from './inputs.ts';
import { isBuiltInType, isNeutralType, transportOf, transportOfUrl } from './kinds.ts';
import { headerPair } from './pairs.ts';
import { RawEntry } from './raw-entry.ts';
import { readSettings, type EntrySettings } from './settings.ts';
import { recognizeClient } from './table.ts';

/** An entry in our words, its texts as written. */
export interface ServerFields extends EntrySettings {
  /** The name that the entry gives itself. */
  readonly title?: string;
  readonly transport: Endpoint['kind'] | null;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that are only named: they come from outside. */
  readonly asked?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly inputs?: readonly DeclaredInput[];
  /** Fields that are not acted on, kept for a lossless round trip. */
  readonly extra: JsonObject;
  readonly notes?: readonly string[];
}

export type FieldsReading =
  | { readonly kind: 'server'; readonly fields: ServerFields }
  | { readonly kind: 'built-in' }
  | { readonly kind: 'none' };

export interface FieldsOptions {
  /** A wrong field fails the entry. */
  readonly strict: boolean;
  /** Where the entry comes from, if that is known. */
  readonly client?: ClientName;
}

export function readFields(raw: JsonObject, { strict, client }: FieldsOptions): FieldsReading {
  const entry = new RawEntry(raw, strict);
  const type = entry.first('type');
  if (isBuiltInType(type)) return { kind: 'built-in' };
  const endpoint = readEndpoint(entry, strict);
  if (!endpoint) return { kind: 'none' };
  const named = client === 'mcp-json' ? undefined : client;
  const settings = readSettings(entry, { strict, client: named ?? recognizeClient(entry.names(), type) });
  const title = entry.field('name', (value, path) => checkText(value, path, limits.serverNameCharsMax));
  const disabled = readDisabled(entry, strict);
  const inputs = entry.field('inputs', inputsOf);
  const rest = entry.rest();
  const { headers, ...other } = endpoint;
  const isMisplaced = endpoint.transport === 'stdio' && headers !== undefined;
  const fields: ServerFields = {
    ...defined({ title, disabled, inputs }),
    ...settings.value,
    ...(isMisplaced ? other : endpoint),
    extra: { ...rest, ...settings.kept, ...(isMisplaced ? { headers } : {}) },
    ...(entry.notes.length > 0 ? { notes: entry.notes } : {}),
  };
  return { kind: 'server', fields };
}

function inputsOf(value: Json, path: string): readonly DeclaredInput[] {
  return Array.isArray(value) ? readInputList(value) : wrong(path, 'a list of inputs', value);
}

function readEndpoint(entry: RawEntry, strict: boolean) {
  const declared = readType(entry, strict);
  const [command, url] = [entry.first('command'), entry.first('url')];
  if (strict && command !== undefined && url !== undefined)
    return wrong('command', 'left out where “url” is given: a server has one of the two');
  if (strict && command === undefined && url === undefined)
    return wrong('command', 'given, or “url”: nothing says how to reach this server');
  const isLocal = command !== undefined && (url === undefined || !declared || declared === 'stdio');
  const line = isLocal ? readCommandLine(entry) : undefined;
  const env = entry.field('env', (value, path) => entry.record(value, path)) ?? {};
  const asked = readAsked(entry);
  const more = {
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(asked.length > 0 ? { asked } : {}),
  };
  const headers = readHeaders(entry);
  const sent = Object.keys(headers).length > 0 ? { headers } : {};
  if (line) {
    if (strict && declared !== undefined && declared !== 'stdio')
      return wrong('type', '“stdio” for a server with a “command”');
    const cwd = entry.field('cwd', (value, path) => checkText(value, path));
    return { transport: 'stdio' as const, ...line, ...more, ...defined({ cwd }), ...sent };
  }
  const isStreamable = ['httpUrl', 'http_url'].some((name) => typeof entry.peek(name) === 'string');
  const address = entry.field('url', (value, path) => checkText(value, path));
  if (address === undefined) return undefined;
  if (strict && declared === 'stdio') return wrong('type', 'http, sse or ws for a server with a “url”');
  const kind = declared === 'stdio' ? undefined : declared;
  const transport = kind ?? (isStreamable ? 'http' : transportOfUrl(address));
  return { transport, url: address, ...more, ...sent };
}

function readType(entry: RawEntry, strict: boolean): Endpoint['kind'] | undefined {
  const read = (name: string) =>
    entry.read([name], (value, path) =>
      isNeutralType(value)
        ? undefined
        : (transportOf(value) ??
          (strict ? wrong(path, 'one of stdio, http, streamable-http, sse, ws', value) : undefined)),
    );
  const [type, transport] = [read('type'), read('transport')];
  if (strict && type !== undefined && transport !== undefined && type !== transport)
    return wrong('transport', 'the same as “type”');
  return type ?? transport ?? entry.field('type', (value) => transportOf(value));
}

function readCommandLine(
  entry: RawEntry,
): { readonly command: string; readonly args: readonly string[] } | undefined {
  const words = entry.field('command', wordsOf);
  const args = entry.field('args', (value, path) =>
    typeof value === 'string' ? splitWords(value) : checkTexts(withoutNothing(value), path),
  );
  const [command, ...rest] = words ?? [];
  return command === undefined ? undefined : { command, args: [...rest, ...(args ?? [])] };
}

function withoutNothing(value: Json): Json {
  return Array.isArray(value) ? value.filter((item) => item !== null) : value;
}

function wordsOf(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const words = checkTexts(value, path);
    return words[0] === undefined || words[0].trim() === '' ? wrong(path, 'given', '') : words;
  }
  const line = checkText(value, path);
  return isWholeLine(line.trim()) ? splitWords(line) : [line];
}

/** A path may contain spaces; a line that starts with a program or continues with flags is split. */
function isWholeLine(command: string): boolean {
  const [program = '', first = ''] = command.split(/\s+/, 2);
  if (first === '') return false;
  if (!/[/\\<{[$]/.test(program)) return true;
  return program.startsWith('/') && /^(-|\/|\.\/|run$|-m$)/.test(first);
}

/** Codex lists a variable by its name or as `{ name, source }`. */
function readAsked(entry: RawEntry): readonly string[] {
  return (
    entry.field('passed', (value, path) => {
      const items = Array.isArray(value) ? value : wrong(path, 'a list of names', value);
      const names = items.map((item) => (isObject(item) ? item['name'] : item));
      return names.filter((name) => typeof name === 'string');
    }) ?? []
  );
}

/** Codex names the variables that hold a header's value, and other clients the key alone. */
function readHeaders(entry: RawEntry): Readonly<Record<string, string>> {
  const record = (value: Json, path: string) => Object.entries(entry.record(value, path));
  const nested = ['requestInit.headers', 'requestOptions.headers'];
  const pairs = [
    ...nested.flatMap((name) => entry.read([name], record) ?? []),
    ...(entry.field('headers', (value, path) =>
      Array.isArray(value)
        ? value.filter((item) => typeof item === 'string').map(headerPair)
        : record(value, path),
    ) ?? []),
  ];
  const bearer = entry.field('bearerVariable', (value, path) => checkText(value, path));
  if (bearer !== undefined) pairs.push(['Authorization', `Bearer \${${bearer}}`]);
  for (const [name, variable] of entry.field('headerVariables', record) ?? [])
    pairs.push([name, `\${${variable}}`]);
  const token = entry.field('bearer', (value, path) => checkText(value, path));
  if (token !== undefined) pairs.push(['Authorization', withScheme(token)]);
  return Object.fromEntries(pairs);
}

/** A key alone is a Bearer token. */
export function withScheme(token: string): string {
  return /^(?:Bearer|Basic)\s/i.test(token) ? token : `Bearer ${token}`;
}

function readDisabled(entry: RawEntry, strict: boolean): boolean | undefined {
  const [off, on] = [entry.field('disabled', checkFlag), entry.field('enabled', checkFlag)];
  if (strict && on !== undefined && on === off) return wrong('disabled', 'the opposite of “enabled”');
  return off ?? (on === undefined ? undefined : !on);
}

/** For those who only need to know whether it could be a server. */
export function endpointTexts(raw: JsonObject): {
  readonly command?: Json;
  readonly url?: Json;
  readonly names: readonly string[];
} {
  const entry = new RawEntry(raw, false);
  return { ...defined({ command: entry.first('command'), url: entry.first('url') }), names: entry.names() };
}
