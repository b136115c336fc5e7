import { isObject } from '../../base/json.ts';
import type { Timeouts, ToolFilter } from '../definition.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The name has the unit, or the client documents seconds. */
const SECONDS: Readonly<Record<string, keyof Pick<Timeouts, 'startMs' | 'callMs'>>> = {
  startup_timeout_sec: 'startMs',
  tool_timeout_sec: 'callMs',
  timeout_s: 'callMs',
  timeoutSeconds: 'callMs',
};

const MILLISECONDS: Readonly<Record<string, keyof Pick<Timeouts, 'startMs' | 'callMs'>>> = {
  timeout: 'callMs',
  timeoutMs: 'callMs',
  requestTimeout: 'callMs',
  initTimeout: 'startMs',
  connectionTimeout: 'startMs',
  startupTimeoutMs: 'startMs',
};

/** Nobody means milliseconds by `timeout: 60`: goose and Cline count in seconds. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 60 * 60_000;

export function readTimeouts(fields: Fields): Timeouts | undefined {
  const found: { startMs?: number; callMs?: number } = {};
  const take = (field: keyof typeof found, ms: unknown): void => {
    if (typeof ms === 'number' && ms > 0 && ms <= LONGEST_MS) found[field] = Math.round(ms);
  };
  for (const [name, field] of Object.entries(MILLISECONDS)) {
    const value = own(fields, name);
    if (typeof value === 'number') take(field, value < SHORTEST_MS ? value * 1_000 : value);
  }
  for (const [name, field] of Object.entries(SECONDS)) {
    const value = own(fields, name);
    if (typeof value === 'number') take(field, value * 1_000);
  }
  const ours = own(fields, 'timeouts');
  if (isObject(ours)) {
    take('startMs', own(ours, 'startMs'));
    take('callMs', own(ours, 'callMs'));
  }
  const split = own(fields, 'timeout');
  if (isObject(split)) {
    take('startMs', own(split, 'startup'));
    take('callMs', own(split, 'request'));
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

const ALLOWED = [
  'tools',
  'includeTools',
  'enabled_tools',
  'enabledTools',
  'available_tools',
  'allowedTools',
  'allowed_tools',
];
const DENIED = ['excludeTools', 'disabled_tools', 'disabledTools', 'excludedTools', 'excluded_tools'];

export function readTools(fields: Fields): ToolFilter | undefined {
  const ours = own(fields, 'tools');
  const inside = isObject(ours) ? ours : {};
  const allow = (names(fields, ALLOWED) ?? names(inside, ['allow']))?.filter((name) => name !== '*');
  const deny = names(fields, DENIED) ?? names(inside, ['deny']);
  if (!allow?.length && !deny?.length) return undefined;
  return { ...(allow?.length ? { allow } : {}), ...(deny?.length ? { deny } : {}) };
}

function names(fields: Fields, keys: readonly string[]): readonly string[] | undefined {
  for (const key of keys) {
    const value = own(fields, key);
    if (Array.isArray(value))
      return value.filter((name): name is string => typeof name === 'string' && name !== '');
  }
  return undefined;
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
