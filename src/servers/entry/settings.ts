import { defined } from '../../base/defined.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ClientName } from '../clients/client.ts';
import type { AuthKind, PackageRef, ServerDefinition, Timeouts, ToolFilter } from '../definition.ts';
import { checkAmount, checkFlag, checkObject, checkOneOf, checkText, checkTexts, wrong } from './checks.ts';
import type { RawEntry } from './raw-entry.ts';
import { namesOf, SHORTEST_MS, TIME_FIELDS, type TimeMeaning } from './table.ts';

/** What an entry says beside its endpoint. */
export type EntrySettings = Partial<
  Pick<
    ServerDefinition,
    | 'timeouts'
    | 'tools'
    | 'readOnly'
    | 'keepAlive'
    | 'sharing'
    | 'auth'
    | 'package'
    | 'config'
    | 'allowDangerousEnv'
  >
>;

export interface SettingsOptions {
  readonly strict: boolean;
  readonly client?: ClientName | undefined;
}

/** `kept`: parts of known fields that mean nothing to us. */
export function readSettings(
  entry: RawEntry,
  options: SettingsOptions,
): { readonly value: EntrySettings; readonly kept: JsonObject } {
  const timeouts = readTimeouts(entry, options);
  const tools = readTools(entry);
  const pack = readPackage(entry);
  const value: EntrySettings = defined({
    timeouts: filled(timeouts.value),
    tools: filled(tools.value),
    readOnly: entry.read(['readOnly'], checkFlag) || undefined,
    keepAlive: entry.read(['keepAlive'], checkFlag) || undefined,
    sharing: entry.read(['sharing'], (given, path) => checkOneOf(given, path, SHARINGS)),
    auth: readAuth(entry),
    package: pack?.value,
    // Parsed from JSON text.
    config: entry.read(['config'], checkObject) as Readonly<Record<string, Json>> | undefined,
    allowDangerousEnv: entry.read(['allowDangerousEnv'], checkTexts),
  });
  const kept = { timeouts: timeouts.kept, tools: tools.kept, package: pack?.kept ?? {} };
  return { value, kept: Object.fromEntries(Object.entries(kept).filter(([, part]) => hasFields(part))) };
}

const SHARINGS = ['auto', 'shared', 'per-host'] as const;

function hasFields(object: object): boolean {
  return Object.keys(object).length > 0;
}

function filled<T extends object>(object: T): T | undefined {
  return hasFields(object) ? object : undefined;
}

/** Timers count in 32 bits: a longer one fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

function readTimeouts(
  entry: RawEntry,
  options: SettingsOptions,
): { readonly value: Timeouts; readonly kept: JsonObject } {
  const ours = entry.read(['timeouts'], readOwnTimeouts);
  const found: { startMs?: number; callMs?: number } = {};
  for (const [name, meanings] of TIME_FIELDS) {
    const given = entry.peek(name);
    if (given === undefined) continue;
    if (isObject(given)) Object.assign(found, entry.read([name], readSplitTimeout) ?? {});
    else {
      const { becomes, unitMs } = meaningOf(meanings, given, options.client);
      const ms = readTime(entry, name, unitMs, options.strict);
      if (ms !== undefined) found[becomes] ??= ms;
    }
  }
  const { startMs, callMs } = ours?.value ?? {};
  const both = callMs !== undefined && found.callMs !== undefined && callMs !== found.callMs;
  if (both) entry.notes.push('“timeouts.callMs” is used; another field gives another limit.');
  const own = { ...ours?.value, ...defined({ startMs, callMs }) };
  return { value: { ...found, ...own }, kept: ours?.kept ?? {} };
}

/** The field's own unit, or the one of the client; else a number below 1000 counts seconds. */
function meaningOf(
  meanings: readonly TimeMeaning[],
  given: Json,
  client: ClientName | undefined,
): Pick<TimeMeaning, 'becomes' | 'unitMs'> {
  const [first] = meanings;
  const known = meanings.find(({ of }) => of !== undefined && of === client);
  const agree = meanings.every(
    ({ becomes, unitMs }) => becomes === first?.becomes && unitMs === first.unitMs,
  );
  if (known ?? (agree ? first : undefined)) return known ?? first ?? { becomes: 'callMs', unitMs: 1 };
  return { becomes: 'callMs', unitMs: typeof given === 'number' && given < SHORTEST_MS ? 1_000 : 1 };
}

/** Our own field must be right; a time of another client that is none stays among the kept fields. */
function readTime(entry: RawEntry, name: string, unitMs: number, strict: boolean): number | undefined {
  if (name === 'timeout_s' && strict)
    return entry.read([name], (given, path) =>
      Math.max(1, Math.round(checkAmount(given, path, limits.callTotalTimeoutMs / 1000) * 1000)),
    );
  const given = entry.peek(name);
  if (typeof given !== 'number' || !(given > 0)) return undefined;
  entry.take(name);
  const ms = Math.max(1, Math.round(given * unitMs));
  if (ms <= limits.callTotalTimeoutMs) return ms;
  entry.notes.push(`“${name}” is longer than an hour; an hour is used.`);
  return limits.callTotalTimeoutMs;
}

/** opencode's second format: `{"startup": ms, "request": ms}`. */
function readSplitTimeout(given: Json, path: string): Timeouts {
  const { startup, request, ...rest } = checkObject(given, path);
  if (hasFields(rest)) return wrong(path, 'a number, or {"startup": ms, "request": ms}', given);
  const amount = (value: unknown, name: string) =>
    value === undefined ? undefined : checkAmount(value, `${path}.${name}`, limits.callTotalTimeoutMs);
  return defined({ startMs: amount(startup, 'startup'), callMs: amount(request, 'request') });
}

function readOwnTimeouts(given: Json, path: string) {
  const { startMs, callMs, idleMs, toolMs, ...rest } = checkObject(given, path);
  const amount = (value: unknown, name: string, max: number = limits.callTotalTimeoutMs) =>
    value === undefined ? undefined : checkAmount(value, `${path}.${name}`, max);
  const value: Timeouts = defined({
    startMs: amount(startMs, 'startMs'),
    callMs: amount(callMs, 'callMs'),
    idleMs: amount(idleMs, 'idleMs', TIMER_MS_MAX),
    toolMs:
      toolMs === undefined
        ? undefined
        : Object.fromEntries(
            Object.entries(checkObject(toolMs, `${path}.toolMs`)).map(([tool, ms]) => [
              tool,
              checkAmount(ms, `${path}.toolMs.${tool}`, limits.callTotalTimeoutMs),
            ]),
          ),
  });
  return { value, kept: rest as JsonObject }; // parsed from JSON text
}

/** `{"allow": […], "deny": […]}`, a list alone, or the lists of other clients. A denied tool is never offered. */
function readTools(entry: RawEntry): { readonly value: ToolFilter; readonly kept: JsonObject } {
  const own = entry.read(['tools'], readOwnTools) ?? { value: {}, kept: {} };
  const named = entry.field('allow', readGlobs);
  // An empty list of goose's allows all tools.
  const isEmptyOfGoose = named?.length === 0 && entry.peek('available_tools') !== undefined;
  const listed = isEmptyOfGoose || named?.includes('*') ? undefined : named;
  const denied = namesOf('deny').flatMap((name) => entry.read([name], readGlobs) ?? []);
  const deny = own.value.deny || denied.length > 0 ? [...(own.value.deny ?? []), ...denied] : undefined;
  return { value: defined({ allow: own.value.allow ?? listed, deny }), kept: own.kept };
}

function readOwnTools(given: Json, path: string): { value: ToolFilter; kept: JsonObject } {
  if (Array.isArray(given)) {
    const allow = readGlobs(given, path);
    return { value: allow.includes('*') ? {} : { allow }, kept: {} };
  }
  const { allow, deny, ...rest } = checkObject(given, path);
  const globs = (value: unknown, name: string) =>
    value === undefined ? undefined : readGlobs(value, `${path}.${name}`);
  const value = defined({ allow: globs(allow, 'allow'), deny: globs(deny, 'deny') });
  return { value, kept: rest as JsonObject }; // parsed from JSON text
}

function readGlobs(value: unknown, path: string): readonly string[] {
  const globs = checkTexts(value, path);
  const bad = globs.findIndex((glob) => glob === '' || glob.length > limits.globCharsMax);
  return bad < 0 ? globs : wrong(`${path}[${bad}]`, `1 to ${limits.globCharsMax} characters`);
}

const AUTH_KINDS: readonly AuthKind[] = ['none', 'key', 'key-file', 'oauth', 'header', 'unknown'];

/** Other clients keep an object of their own here: it stays among the kept fields. */
function readAuth(entry: RawEntry): AuthKind | undefined {
  if (isObject(entry.peek('auth'))) return undefined;
  return entry.read(['auth'], (given, path) => checkOneOf(given, path, AUTH_KINDS));
}

const REGISTRIES: readonly PackageRef['registry'][] = ['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http'];

function readPackage(entry: RawEntry) {
  const raw = entry.peek('package');
  if (!isObject(raw) || !REGISTRIES.some((registry) => registry === raw['registry'])) return undefined;
  return entry.read(['package'], (given, path) => {
    const { registry, name, version, runtimeHint, integrity, ...rest } = checkObject(given, path);
    const text = (value: unknown, field: string) =>
      value === undefined ? undefined : checkText(value, `${path}.${field}`);
    const value: PackageRef = {
      registry: checkOneOf(registry, `${path}.registry`, REGISTRIES),
      name: text(name, 'name') ?? wrong(`${path}.name`, 'given'),
      version: text(version, 'version') ?? wrong(`${path}.version`, 'given'),
      ...defined({ runtimeHint: text(runtimeHint, 'runtimeHint'), integrity: text(integrity, 'integrity') }),
    };
    return { value, kept: rest as JsonObject }; // parsed from JSON text
  });
}
