import { type LocalEndpoint, type Endpoint, type Source, plainId } from '../definition.ts';
import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { type EntryOutcome, parseEntry } from '../config-entry.ts';
import type { Client } from './client.ts';
import type { Dialect, FileContext, TimeoutField, TextField } from './dialect.ts';
import { ForeignFields, isJsonObject } from './entry-fields.ts';
import { readText } from './translate-text.ts';

export interface EntryPlace extends FileContext {
  readonly source: Source;
  readonly line?: number;
  readonly column?: number;
}

/** A wrong entry is an outcome and doesn't affect others. */
export function readEntry(client: Client, raw: unknown, place: EntryPlace): EntryOutcome {
  const { key } = place;
  const id = idOfName(key);
  // parseEntry refuses names that could reach a prototype.
  if (!isJsonObject(raw) || namesPrototype(raw)) return parseEntry(id, raw, place);
  const { dialect } = client;
  const common = readCommon(dialect, dialect.beforeRead?.(raw, place) ?? raw, place);
  const outcome = parseEntry(id, { ...nameOf(common.name ?? key, id), ...common.entry }, place);
  if (outcome.kind === 'error') return outcome;
  const { endpoint, notes } = unwrapEndpoint(outcome.definition.endpoint);
  const extra: JsonObject = Object.keys(common.rest).length > 0 ? { [client.name]: common.rest } : {};
  return {
    kind: 'ok',
    definition: { ...outcome.definition, endpoint, extra },
    warnings: [...common.warnings, ...notes, ...unsupported(common.rest)],
  };
}

/** A server may depend on these, and we don't act on them. */
const WORKING_FIELDS =
  'envFile headersHelper http_headers_helper oauth auth apiKey obo authProviderType'.split(' ');

function unsupported(rest: JsonObject): readonly string[] {
  return WORKING_FIELDS.filter((field) => field in rest).map(
    (field) => `“${field}” is kept, but not acted on: what it brings must be given here anew.`,
  );
}

function namesPrototype(raw: JsonObject): boolean {
  return JSON.stringify(raw).includes('"__proto__":');
}

/** In the terms of our own config files. */
function readCommon(dialect: Dialect, raw: JsonObject, place: FileContext) {
  const fields = new ForeignFields(raw);
  const names = dialect.fields;
  const warnings: string[] = [];
  const text = (value: Json | undefined, field: TextField): Json | undefined =>
    value === undefined ? undefined : readTexts(value, dialect, field, place);
  const taken = (name: string | undefined): Json | undefined =>
    name === undefined ? undefined : fields.take(name);
  const url = fields.take(names.url, 'url', 'serverUrl', 'httpUrl', 'uri', 'baseUrl');
  const command = fields.take(names.command, 'command', 'cmd') ?? [];
  const [program, ...words]: readonly Json[] = Array.isArray(command) ? command : [command];
  const given = fields.take(names.args ?? 'args', 'args');
  const args: Json = given === undefined ? words : Array.isArray(given) ? [...words, ...given] : given;
  const env = fields.take(names.env, 'env', 'environment', 'envs');
  const headers = fields.take(names.headers, 'headers', 'http_headers', 'requestOptions.headers');
  const cwd = fields.take(names.cwd ?? 'cwd', 'cwd');
  const type = fields.take('type', 'transport', 'transportType');
  const [disabled, enabled] = [fields.take('disabled'), fields.take('enabled')];
  const callMs = readTimeout(fields, dialect.callTimeout, warnings);
  const startMs = readTimeout(fields, dialect.startTimeout, warnings);
  const [allow, deny, name] = [taken(dialect.allowTools), taken(dialect.denyTools), taken(dialect.name)];
  const all = Array.isArray(allow) && allow.includes('*');
  const entry: JsonObject = defined({
    // `remote` and `local` add nothing to the URL or the command.
    type: type === 'remote' || type === 'local' ? undefined : type,
    command: text(program, 'command'),
    args: program === undefined && given === undefined ? undefined : text(args, 'args'),
    env: text(env, 'env'),
    cwd: text(cwd, 'cwd'),
    url: text(url, 'url'),
    headers: text(headers, 'headers'),
    disabled: disabled === true || enabled === false ? true : undefined,
    timeouts: defined({ startMs, callMs }),
    tools: defined({ allow: all ? undefined : allow, deny }),
  });
  return { entry, rest: fields.rest(), warnings, name: typeof name === 'string' ? name : undefined };
}

/** YAML turns `PORT: 8080` into a number. */
function readTexts(value: Json, dialect: Dialect, field: TextField, place: FileContext): Json {
  const read = (item: Json): Json => readTexts(asText(item), dialect, field, place);
  if (typeof value === 'string') return readText(value, dialect.placeholders, field, place);
  if (Array.isArray(value)) return value.map(read);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined || item === null ? [] : [[key, read(item)]],
    ),
  );
}

function asText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** A value that is no time stays among the client's own fields: the server still works. */
function readTimeout(
  fields: ForeignFields,
  known: TimeoutField | undefined,
  warnings: string[],
): number | undefined {
  if (!known) return undefined;
  const value = fields.peek(known.field);
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  fields.take(known.field);
  const ms = Math.max(1, Math.round(value * known.unitMs));
  if (ms <= limits.callTotalTimeoutMs) return ms;
  warnings.push(`“${known.field}” is longer than an hour; an hour is used.`);
  return limits.callTotalTimeoutMs;
}

function nameOf(name: string, id: string): JsonObject {
  // Names are shown in terminals: no control or direction characters.
  const shown = name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, limits.serverNameCharsMax)
    .trim();
  return shown === '' || shown === id ? {} : { name: shown };
}

/** Any name becomes an id: “GitHub (work)”, “日本語”. */
function idOfName(key: string): string {
  return plainId(key) ?? `server-${createHash('sha256').update(key).digest('hex').slice(0, 6)}`;
}

/** Removes `cmd /c` and mcp-remote, and splits a command line given as one text: we need none of these. */
export function unwrapEndpoint(endpoint: Endpoint): {
  readonly endpoint: Endpoint;
  readonly notes: readonly string[];
} {
  if (endpoint.kind !== 'stdio') return { endpoint, notes: [] };
  const plain = withoutShell(withSplitCommand(endpoint));
  const remote = throughBridge(plain);
  if (!remote) return { endpoint: plain, notes: [] };
  return { endpoint: remote, notes: ['mcp-remote is not needed: the address is contacted directly.'] };
}

/** Known runners only: “C:\Program Files\x” is one word. */
function withSplitCommand(endpoint: LocalEndpoint): LocalEndpoint {
  if (endpoint.args.length > 0 || !RUNNER.test(endpoint.command)) return endpoint;
  if (/["'`\\$|&;<>]/.test(endpoint.command)) return endpoint;
  const [command = '', ...args] = endpoint.command.trim().split(/\s+/);
  return { ...endpoint, command, args };
}

const RUNNER = /^(npx|bunx|uvx|pnpx|node|bun|deno|python3?|docker|podman|uv|pipx|dnx)\s/;

function withoutShell(endpoint: LocalEndpoint): LocalEndpoint {
  const [flag, command, ...args] = endpoint.args;
  if (!/^cmd(\.exe)?$/i.test(endpoint.command) || !/^\/c$/i.test(flag ?? '')) return endpoint;
  return command === undefined ? endpoint : withSplitCommand({ ...endpoint, command, args });
}

/** `npx [-y] mcp-remote URL [--header K:V] [--transport …]`; any other flag keeps the bridge. */
function throughBridge({ command, args, env }: LocalEndpoint): Endpoint | undefined {
  if (!/^(npx|bunx|pnpx)(\.cmd)?$/.test(command)) return undefined;
  const words = args.filter((word) => word !== '-y' && word !== '--yes');
  const [bridge, url, ...flags] = words;
  if (!/^mcp-remote(@[\w.-]+)?$/.test(bridge ?? '') || !/^(https?:|\$\{)/.test(url ?? '')) return undefined;
  const headers: Record<string, string> = {};
  let kind: 'http' | 'sse' = 'http';
  for (let at = 0; at < flags.length; at += 1) {
    const [flag, value = ''] = [flags[at], flags[at + 1]];
    if (flag === '--header') {
      const [, name, text] = /^([^:\s]+)\s*:\s*([^]*)$/.exec(value) ?? [];
      if (name === undefined || text === undefined) return undefined;
      headers[name] = withVariables(text, env);
      at += 1;
    } else if (flag === '--transport') {
      kind = value.startsWith('sse') ? 'sse' : 'http';
      at += 1;
    } else if (flag !== '--allow-http' && flag !== '--debug' && !/^\d+$/.test(flag ?? '')) return undefined;
  }
  // A variable for the bridge itself, such as a proxy, would be lost.
  const used = flags.join(' ');
  if (Object.keys(env).some((name) => !used.includes(`\${${name}}`))) return undefined;
  return { kind, url: url ?? '', headers };
}

/** The bridge fills in its own environment: `Bearer ${TOKEN}` with TOKEN in `env`. */
function withVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$?\$\{([A-Za-z_]\w*)\}/g, (_whole, name: string) =>
    Object.hasOwn(env, name) ? (env[name] ?? '') : `\${${name}}`,
  );
}
