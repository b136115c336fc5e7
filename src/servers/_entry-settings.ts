import { defined } from '../base/defined.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { AuthKind, PackageRef, Timeouts, ToolFilter } from './definition.ts';
import { checkAmount, checkTexts, EntryFields, wrong } from './_entry-fields.ts';

/** A nested object, with its unknown fields kept beside the value. */
export interface Nested<T> {
  readonly value: T;
  readonly extra: JsonObject;
  readonly warnings: readonly string[];
}

/** Timers count in 32 bits: a longer one fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function readTimeouts(fields: EntryFields): Nested<Timeouts> {
  const seconds = fields.amount('timeout_s', limits.callTotalTimeoutMs / 1000);
  const short = seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1000));
  const inner = new EntryFields(fields.object('timeouts') ?? {}, 'timeouts.');
  const startMs = inner.amount('startMs', limits.callTotalTimeoutMs);
  const long = inner.amount('callMs', limits.callTotalTimeoutMs);
  const idleMs = inner.amount('idleMs', TIMER_MS_MAX);
  const toolMs = inner.object('toolMs');
  const callMs = long ?? short;
  const value: Timeouts = defined({ startMs, callMs, idleMs, toolMs: toolMs && readToolMs(toolMs) });
  const both = long !== undefined && short !== undefined && long !== short;
  return {
    value,
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

export function readTools(fields: EntryFields): Nested<ToolFilter> {
  const raw = fields.peek('tools');
  if (Array.isArray(raw)) {
    fields.take('tools');
    return { value: { allow: readGlobs(raw, 'tools') }, extra: {}, warnings: [] };
  }
  const inner = new EntryFields(fields.object('tools') ?? {}, 'tools.');
  const globs = (field: 'allow' | 'deny'): readonly string[] | undefined => {
    const given = inner.take(field);
    return given === undefined ? undefined : readGlobs(given, `tools.${field}`);
  };
  const value: ToolFilter = defined({ allow: globs('allow'), deny: globs('deny') });
  return { value, extra: inner.rest(), warnings: [] };
}

function readGlobs(value: unknown, path: string): readonly string[] {
  const globs = checkTexts(value, path);
  const bad = globs.findIndex((glob) => glob === '' || glob.length > limits.globCharsMax);
  return bad < 0 ? globs : wrong(`${path}[${bad}]`, `1 to ${limits.globCharsMax} characters`);
}

export function readEnabled(fields: EntryFields): boolean {
  const [enabled, disabled] = [fields.flag('enabled'), fields.flag('disabled')];
  if (enabled !== undefined && enabled === disabled) return wrong('disabled', 'the opposite of “enabled”');
  return enabled ?? !(disabled ?? false);
}

const AUTH_KINDS: readonly AuthKind[] = ['none', 'key', 'key-file', 'oauth', 'header', 'unknown'];

/** Other clients keep an object of their own here: it stays among the unknown fields. */
export function readAuth(fields: EntryFields): AuthKind {
  if (isObject(fields.peek('auth'))) return 'unknown';
  return fields.oneOf('auth', AUTH_KINDS) ?? 'unknown';
}

export function readConfig(fields: EntryFields): Readonly<Record<string, Json>> {
  // Parsed from JSON text.
  return (fields.object('config') ?? {}) as Readonly<Record<string, Json>>;
}

const REGISTRIES: readonly PackageRef['registry'][] = ['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http'];

export function readPackage(fields: EntryFields): Nested<PackageRef | undefined> {
  const raw = fields.peek('package');
  if (!isObject(raw) || !REGISTRIES.some((registry) => registry === raw['registry'])) {
    return { value: undefined, extra: {}, warnings: [] };
  }
  fields.take('package');
  const inner = new EntryFields(raw, 'package.');
  const value: PackageRef = {
    registry: inner.oneOf('registry', REGISTRIES) ?? 'npm',
    name: inner.text('name') ?? wrong('package.name', 'given'),
    version: inner.text('version') ?? wrong('package.version', 'given'),
    ...defined({ runtimeHint: inner.text('runtimeHint'), integrity: inner.text('integrity') }),
  };
  return { value, extra: inner.rest(), warnings: [] };
}
