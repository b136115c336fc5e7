import { dirname } from 'node:path';
import { defined } from '../base/defined.ts';
import { nextStep } from '../base/remedy-command.ts';
import { type JsonObject, isObject, type Json } from '../base/json.ts';
import { type ErrorView, PlugError, toPlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { ServerDefinition, Source, AuthKind, PackageRef, ToolFilter } from './definition.ts';
import { defineServer, isServerId, plainId } from './definition.ts';
import { EntryFields, holdsPrototypeName, wrong, checkAmount, checkTexts } from './_entry-fields.ts';
import { readEndpoint } from './_entry-endpoint.ts';

export type EntryOutcome =
  | { readonly kind: 'ok'; readonly definition: ServerDefinition; readonly warnings: readonly string[] }
  /** The key as written if no id could be derived. */
  | { readonly kind: 'error'; readonly id: string; readonly error: ErrorView };

export interface EntryContext {
  readonly source: Source;
  /** All names in the map: a derived id must not collide. */
  readonly keys?: readonly string[];
  readonly line?: number;
  readonly column?: number;
}

/** Reads one entry of an `mcpServers` map. A wrong entry is an outcome and doesn't affect others. */
export function parseEntry(key: string, value: unknown, context: EntryContext): EntryOutcome {
  let id = key;
  try {
    const name = idOfEntry(key, context.keys);
    id = name.id;
    return readEntry(name, value, context.source);
  } catch (error) {
    const { message, details, remedy, ...view } = toPlugError(error).toView();
    const { line, column } = context;
    const { file } = context.source;
    const at = file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}: `;
    const text = file === undefined ? 'Correct the entry.' : `Correct the entry in ${file} and save it.`;
    return {
      kind: 'error',
      id,
      error: {
        ...view,
        server: id,
        message: `${at}“${id}”: ${message}`,
        ...nextStep(remedy ?? { do: 'say', text }),
        details: { ...details, ...defined({ file, line, column }) },
      },
    };
  }
}

function readEntry(name: EntryName, value: unknown, source: Source): EntryOutcome {
  if (!isObject(value)) return wrong('entry', 'an object, {"command": …} or {"url": …}', value);
  if (holdsPrototypeName(value)) return wrong('__proto__', 'left out: this name is never accepted');
  const fields = new EntryFields(value);
  const endpoint = readEndpoint(fields, source.file === undefined ? undefined : dirname(source.file));
  const given = fields.text('name', limits.serverNameCharsMax);
  const timeouts = readTimeouts(fields);
  const tools = readTools(fields);
  const packageRef = readPackage(fields);
  const definition = defineServer({
    id: name.id,
    name: given ?? name.original ?? name.id,
    endpoint,
    source,
    auth: readAuth(fields),
    enabled: readEnabled(fields),
    // Parsed from JSON text.
    config: (fields.object('config') ?? {}) as Readonly<Record<string, Json>>,
    timeouts: timeouts.value,
    tools: tools.value,
    readOnly: fields.flag('readOnly') ?? false,
    keepAlive: fields.flag('keepAlive') ?? false,
    sharing: fields.oneOf('sharing', ['auto', 'shared', 'per-host']) ?? 'auto',
    ...defined({ package: packageRef?.value, allowDangerousEnv: fields.texts('allowDangerousEnv') }),
    // Last, when all known fields have been taken.
    extra: {
      ...fields.rest(),
      ...keep('timeouts', timeouts.extra),
      ...keep('tools', tools.extra),
      ...keep('package', packageRef?.extra),
    },
  });
  return { kind: 'ok', definition, warnings: [...timeouts.warnings, ...warningsOf(name, definition)] };
}

function keep(field: string, extra: JsonObject = {}): JsonObject {
  return Object.keys(extra).length > 0 ? { [field]: extra } : {};
}

const ENDPOINT_FIELDS = new Set(['args', 'env', 'cwd', 'headers']);

function warningsOf({ original }: EntryName, { id, endpoint, extra }: ServerDefinition): readonly string[] {
  const unknown = Object.keys(extra).filter((field) => !ENDPOINT_FIELDS.has(field));
  const misplaced = Object.keys(extra).filter((field) => ENDPOINT_FIELDS.has(field));
  const sort = endpoint.kind === 'stdio' ? 'a local' : 'a remote';
  return [
    ...(original === undefined ? [] : [`“${original}” is used under the id “${id}”.`]),
    ...(unknown.length > 0 ? [`“${id}”: ${quoted(unknown)} not known; kept, without effect.`] : []),
    ...(misplaced.length > 0
      ? [`“${id}”: ${quoted(misplaced)} without effect on ${sort} server; kept.`]
      : []),
  ];
}

function quoted(names: readonly string[]): string {
  return `${names.map((name) => `“${name}”`).join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}

interface EntryName {
  readonly id: string;
  /** The name in the file, if the id was derived from it. */
  readonly original?: string;
}

/** “My Server” becomes `my-server`. A name that would lose more, or would collide, is refused. */
function idOfEntry(key: string, allKeys: readonly string[] = [key]): EntryName {
  if (isServerId(key)) return { id: key };
  const id = slugOf(key);
  if (id === undefined) throw refused(key);
  const twin = allKeys.find((other) => other !== key && (other === id || slugOf(other) === id));
  if (twin !== undefined) throw refused(key, `it would share the id “${id}” with “${shown(twin)}”`);
  return { id, original: key };
}

const PLAIN = /^@?[A-Za-z0-9][A-Za-z0-9 ._/()+&:@-]*$/;

function slugOf(key: string): string | undefined {
  if (isServerId(key)) return key;
  if (key.length > 64 || !PLAIN.test(key) || key.includes('..')) return undefined;
  return plainId(key);
}

function refused(key: string, why = 'it cannot be made into an id'): PlugError {
  return new PlugError('bad_config', `“${shown(key)}” cannot be a server's name: ${why}.`, {
    owner: 'you',
    remedy: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
    details: { field: 'name' },
  });
}

/** Names from foreign files: control characters are escaped. */
function shown(key: string): string {
  return JSON.stringify(key.slice(0, 80)).slice(1, -1);
}

/** Timers count in 32 bits: a longer one fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

function readTimeouts(fields: EntryFields) {
  const seconds = fields.amount('timeout_s', limits.callTotalTimeoutMs / 1000);
  const short = seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1000));
  const inner = new EntryFields(fields.object('timeouts') ?? {}, 'timeouts.');
  const startMs = inner.amount('startMs', limits.callTotalTimeoutMs);
  const long = inner.amount('callMs', limits.callTotalTimeoutMs);
  const idleMs = inner.amount('idleMs', TIMER_MS_MAX);
  const toolMs = inner.object('toolMs');
  const both = long !== undefined && short !== undefined && long !== short;
  return {
    value: defined({ startMs, callMs: long ?? short, idleMs, toolMs: toolMs && readToolMs(toolMs) }),
    extra: inner.rest(),
    warnings: both ? ['“timeouts.callMs” is used; “timeout_s” says something else.'] : [],
  };
}

function readToolMs(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(raw).map(([tool, value]) => [
      tool,
      checkAmount(value, `timeouts.toolMs.${tool}`, limits.callTotalTimeoutMs),
    ]),
  );
}

/** `{"allow": […], "deny": […]}`, or a list alone, which means allow. */
function readTools(fields: EntryFields): { readonly value: ToolFilter; readonly extra: JsonObject } {
  const raw = fields.peek('tools');
  if (Array.isArray(raw)) {
    fields.take('tools');
    return { value: { allow: readGlobs(raw, 'tools') }, extra: {} };
  }
  const inner = new EntryFields(fields.object('tools') ?? {}, 'tools.');
  const globs = (field: 'allow' | 'deny') => {
    const given = inner.take(field);
    return given === undefined ? undefined : readGlobs(given, `tools.${field}`);
  };
  return { value: defined({ allow: globs('allow'), deny: globs('deny') }), extra: inner.rest() };
}

function readGlobs(value: unknown, path: string): readonly string[] {
  const globs = checkTexts(value, path);
  const bad = globs.findIndex((glob) => glob === '' || glob.length > limits.globCharsMax);
  return bad < 0 ? globs : wrong(`${path}[${bad}]`, `1 to ${limits.globCharsMax} characters`);
}

function readEnabled(fields: EntryFields): boolean {
  const [enabled, disabled] = [fields.flag('enabled'), fields.flag('disabled')];
  if (enabled !== undefined && enabled === disabled) return wrong('disabled', 'the opposite of “enabled”');
  return enabled ?? !(disabled ?? false);
}

const AUTH_KINDS: readonly AuthKind[] = ['none', 'key', 'key-file', 'oauth', 'header', 'unknown'];

/** Other clients keep an object of their own here: it stays among the unknown fields. */
function readAuth(fields: EntryFields): AuthKind {
  if (isObject(fields.peek('auth'))) return 'unknown';
  return fields.oneOf('auth', AUTH_KINDS) ?? 'unknown';
}

const REGISTRIES: readonly PackageRef['registry'][] = ['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http'];

function readPackage(fields: EntryFields) {
  const raw = fields.peek('package');
  if (!isObject(raw) || !REGISTRIES.some((registry) => registry === raw['registry'])) return undefined;
  fields.take('package');
  const inner = new EntryFields(raw, 'package.');
  const value: PackageRef = {
    registry: inner.oneOf('registry', REGISTRIES) ?? 'npm',
    name: inner.text('name') ?? wrong('package.name', 'given'),
    version: inner.text('version') ?? wrong('package.version', 'given'),
    ...defined({ runtimeHint: inner.text('runtimeHint'), integrity: inner.text('integrity') }),
  };
  return { value, extra: inner.rest() };
}
