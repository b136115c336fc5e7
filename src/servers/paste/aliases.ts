import type { PastedTransport } from './paste.ts';
import { wordSet } from '../word-set.ts';
import { isObject } from '../../base/json.ts';
import type { Timeouts, ToolFilter } from '../definition.ts';

/** All names for one field, in order of preference. */
export const ALIASES = {
  command: ['command', 'cmd', 'executable', 'program'],
  args: ['args', 'arguments', 'argv'],
  env: ['env', 'environment', 'envs', 'envVars', 'environmentVariables', 'environment_variables'],
  cwd: ['cwd', 'workingDirectory', 'working_directory', 'workdir', 'workingDir', 'directory'],
  url: 'httpUrl http_url url serverUrl serverURL server_url uri baseUrl base_url endpoint sseUrl sse_url'.split(
    ' ',
  ),
  headers: ['headers', 'http_headers', 'httpHeaders', 'header'],
  transport: ['type', 'transport', 'transportType', 'transport_type', 'connectionType'],
  name: ['name', 'serverName', 'server_name', 'server_label', 'title'],
  envKeys: ['env_keys', 'env_vars', 'envKeys', 'required_env_vars', 'requiredEnv', 'required_env'],
} as const;

/** Words that aren't listed, such as “remote”, don't name a transport. */
const TRANSPORTS: Readonly<Record<PastedTransport, ReadonlySet<string>>> = {
  stdio: wordSet('stdio local command process'),
  http: wordSet('http https streamablehttp streamable httpstream httpstreamable'),
  sse: wordSet('sse httpsse'),
  ws: wordSet('ws websocket'),
};

export function transportOf(word: unknown): PastedTransport | undefined {
  if (typeof word !== 'string') return undefined;
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (['stdio', 'http', 'sse', 'ws'] as const).find((transport) => TRANSPORTS[transport].has(plain));
}

/** Run inside their host: there is nothing to connect to. */
export const BUILT_IN_TYPES: ReadonlySet<string> = wordSet(
  'builtin platform frontend inline_python inlinepython',
);

/** Other fields of an entry, which tell it from similar objects. */
export const ENTRY_FIELDS: ReadonlySet<string> = wordSet(
  'disabled enabled isActive active autoApprove alwaysAllow timeout timeout_s trust description id tools ' +
    'includeTools excludeTools disabledTools enabled_tools disabled_tools envFile env_file gallery version oauth ' +
    'auth requestInit requestOptions bearer_token_env_var authorization_token env_http_headers ' +
    'startup_timeout_sec tool_timeout_sec settings source bundled available_tools inputs initTimeout ' +
    'connectionTimeout iconPath chatMenu serverInstructions dev alwaysLoad provider tags logoUrl registryUrl ' +
    'longRunning sandbox icon instructions autoStart capabilities roots',
);

/** Lower case, without punctuation. */
const CONTAINERS = wordSet(
  'mcpservers mcpserver servers contextservers extensions mcp modelcontextprotocolservers mcpconfig mcps',
);

export function isContainer(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[^a-z.]/g, '');
  return CONTAINERS.has(plain) || /(?:^|\.)(?:mcpservers|mcp\.servers|contextservers)$/.test(plain);
}

export type Fields = Readonly<Record<string, unknown>>;

type TimeoutName = 'startMs' | 'callMs';

/** The name has the unit, or the client documents seconds. */
const SECONDS: Readonly<Record<string, TimeoutName>> = {
  startup_timeout_sec: 'startMs',
  tool_timeout_sec: 'callMs',
  timeout_s: 'callMs',
  timeoutSeconds: 'callMs',
};

const MILLISECONDS: Readonly<Record<string, TimeoutName>> = {
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
  const found: { -readonly [Name in TimeoutName]?: number } = {};
  const take = (field: TimeoutName, value: unknown, unitMs = 1): void => {
    const ms = typeof value === 'number' ? value * unitMs : 0;
    if (ms > 0 && ms <= LONGEST_MS) found[field] = Math.round(ms);
  };
  for (const [name, field] of Object.entries(MILLISECONDS)) {
    const value = own(fields, name);
    take(field, value, typeof value === 'number' && value < SHORTEST_MS ? 1_000 : 1);
  }
  for (const [name, field] of Object.entries(SECONDS)) take(field, own(fields, name), 1_000);
  const ours = own(fields, 'timeouts');
  const split = own(fields, 'timeout');
  if (isObject(ours)) {
    take('startMs', own(ours, 'startMs'));
    take('callMs', own(ours, 'callMs'));
  }
  if (isObject(split)) {
    take('startMs', own(split, 'startup'));
    take('callMs', own(split, 'request'));
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

const ALLOWED =
  'tools includeTools enabled_tools enabledTools available_tools allowedTools allowed_tools'.split(' ');
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
  const list = keys.map((key) => own(fields, key)).find((value) => Array.isArray(value));
  return list?.filter((name): name is string => typeof name === 'string' && name !== '');
}

export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export function firstAlias(fields: Fields, field: keyof typeof ALIASES): unknown {
  return ALIASES[field]
    .map((alias) => own(fields, alias))
    .find((value) => value !== undefined && value !== null);
}
