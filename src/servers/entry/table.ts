import type { ClientName } from '../clients/client.ts';
import { clients } from '../clients/clients.ts';

/** What a field of an entry becomes, whoever wrote it. */
export type Becomes =
  | 'command'
  | 'args'
  | 'env'
  | 'passed'
  | 'cwd'
  | 'url'
  | 'headers'
  | 'headerVariables'
  | 'bearerVariable'
  | 'bearer'
  | 'type'
  | 'name'
  | 'disabled'
  | 'enabled'
  | 'allow'
  | 'deny'
  | 'inputs';

/** All names for one field, in order of preference. A dot goes one level down. */
const NAMES: Readonly<Record<Becomes, string>> = {
  command: 'command cmd executable program',
  args: 'args arguments argv',
  env: 'env environment envs envVars environmentVariables environment_variables',
  passed: 'env_keys env_vars envKeys required_env_vars requiredEnv required_env',
  cwd: 'cwd workingDirectory working_directory workdir workingDir directory',
  url: 'httpUrl http_url url serverUrl serverURL server_url uri baseUrl base_url endpoint sseUrl sse_url',
  headers: 'headers http_headers httpHeaders header requestOptions.headers requestInit.headers',
  headerVariables: 'env_http_headers',
  bearerVariable: 'bearer_token_env_var bearerTokenEnvVar',
  bearer: 'authorization_token authorizationToken bearerToken',
  type: 'type transport transportType transport_type connectionType',
  name: 'name serverName server_name server_label serverLabel title',
  disabled: 'disabled',
  enabled: 'enabled isActive active',
  allow: 'includeTools enabled_tools enabledTools available_tools allowedTools allowed_tools',
  deny: 'excludeTools disabled_tools disabledTools excludedTools excluded_tools',
  inputs: 'inputs',
};

export function namesOf(field: Becomes): readonly string[] {
  return BY_FIELD[field];
}

const BY_FIELD = Object.fromEntries(
  Object.entries(NAMES).map(([field, names]) => [field, names.split(' ')]),
) as unknown as Readonly<Record<Becomes, readonly string[]>>; // the same keys

/** Fields that only Plugboard's own files have; they count wherever the entry comes from. */
export const OUR_FIELDS: readonly string[] =
  'timeout_s timeouts tools readOnly keepAlive sharing auth package config allowDangerousEnv'.split(' ');

type TimeoutName = 'startMs' | 'callMs';

export interface TimeMeaning {
  readonly becomes: TimeoutName;
  readonly unitMs: number;
  /** Absent: the name of the field says it all. */
  readonly of?: ClientName;
}

const time = (becomes: TimeoutName, unitMs: number): readonly TimeMeaning[] => [{ becomes, unitMs }];

/** The unit is the one that the client documents, or the one in the name. */
export const TIME_FIELDS: ReadonlyMap<string, readonly TimeMeaning[]> = timeFields();

function timeFields(): ReadonlyMap<string, readonly TimeMeaning[]> {
  const found = new Map<string, readonly TimeMeaning[]>([
    ['timeout_s', time('callMs', 1_000)],
    ['timeoutSeconds', time('callMs', 1_000)],
    ['timeoutMs', time('callMs', 1)],
    ['requestTimeout', time('callMs', 1)],
    ['startupTimeoutMs', time('startMs', 1)],
    ['startup_timeout_ms', time('startMs', 1)],
  ]);
  for (const { name: of, dialect } of clients) {
    const own = [
      { becomes: 'callMs' as const, known: dialect.callTimeout },
      { becomes: 'startMs' as const, known: dialect.startTimeout },
    ];
    for (const { becomes, known } of own) {
      if (!known) continue;
      const { field, unitMs } = known;
      found.set(field, [...(found.get(field) ?? []), { becomes, unitMs, of }]);
    }
  }
  return found;
}

/** Without a known client: no one means milliseconds by `timeout: 60`, or seconds by `timeout: 30000`. */
export const SHORTEST_MS = 1_000;

/** Why a field of another client is kept without being acted on. */
export type KeptBecause =
  /** The server may not work without it. */
  | 'working'
  /** Which calls run without asking is decided by Plugboard's own rules. */
  | 'approval'
  | 'other';

interface KeptField {
  readonly because: KeptBecause;
  readonly of: readonly ClientName[];
}

/** Fields of other clients that change nothing here. They are kept, said, and written back to their client. */
export const KEPT_FIELDS: ReadonlyMap<string, KeptField> = new Map(
  (
    [
      ['claude-code', 'working', 'headersHelper oauth'],
      ['claude-code', 'other', 'alwaysLoad'],
      ['cursor', 'working', 'envFile auth'],
      ['vscode', 'working', 'envFile oauth sandboxEnabled sandbox'],
      ['vscode', 'other', 'dev gallery version'],
      ['copilot-cli', 'other', 'deferTools'],
      ['gemini-cli', 'working', 'oauth authProviderType targetAudience targetServiceAccount'],
      ['gemini-cli', 'approval', 'trust'],
      ['gemini-cli', 'other', 'description extensionName'],
      ['codex', 'working', 'oauth scopes oauth_resource http_headers_helper'],
      ['codex', 'approval', 'default_tools_approval_mode'],
      ['codex', 'other', 'required experimental_environment'],
      ['opencode', 'working', 'oauth'],
      ['goose', 'other', 'description bundled display_name'],
      ['zed', 'working', 'oauth'],
      ['zed', 'other', 'source settings'],
      ['continue', 'working', 'requestOptions apiKey'],
      ['continue', 'other', 'faviconUrl'],
      ['librechat', 'working', 'oauth apiKey obo customUserVars requiresOAuth'],
      ['librechat', 'other', 'startup chatMenu serverInstructions iconPath description'],
      ['cline', 'approval', 'autoApprove'],
      ['windsurf', 'approval', 'alwaysAllow'],
      ['roo', 'approval', 'alwaysAllow'],
      ['roo', 'other', 'watchPaths'],
      ['mcp-json', 'other', 'protocolEra roots'],
    ] as const
  ).reduce((all, [of, because, names]) => {
    for (const name of names.split(' ')) {
      const known = all.get(name);
      all.set(name, { because: known?.because ?? because, of: [...(known?.of ?? []), of] });
    }
    return all;
  }, new Map<string, KeptField>()),
);

/** Too common to tell a client by. */
const SHARED = new Set(
  'command args env url headers cwd type name timeout tools description oauth auth'.split(' '),
);

/** The clients that write a field, for each that not all of them share. */
const WRITERS: ReadonlyMap<string, ReadonlySet<ClientName>> = writers();

function writers(): ReadonlyMap<string, ReadonlySet<ClientName>> {
  const found = new Map<string, Set<ClientName>>();
  const add = (name: string | undefined, of: ClientName): void => {
    if (name === undefined || SHARED.has(name)) return;
    found.set(name, (found.get(name) ?? new Set()).add(of));
  };
  for (const [name, { of }] of KEPT_FIELDS) for (const client of of) add(name, client);
  for (const { name: of, dialect } of clients) {
    const { fields, callTimeout, startTimeout, allowTools, denyTools } = dialect;
    for (const name of [...Object.values(fields), allowTools, denyTools]) add(name, of);
    for (const known of [callTimeout, startTimeout]) add(known?.field, of);
  }
  add('httpUrl', 'gemini-cli');
  add('env_keys', 'goose');
  for (const name of ['env_vars', 'bearer_token_env_var', 'env_http_headers']) add(name, 'codex');
  return found;
}

export function isWrittenBy(field: string, client: ClientName): boolean {
  return KEPT_FIELDS.get(field)?.of.includes(client) === true || WRITERS.get(field)?.has(client) === true;
}

/** The client that wrote an entry, by the fields that only this one has. */
export function recognizeClient(fields: readonly string[], type: unknown): ClientName | undefined {
  const found = fields.flatMap((field) => {
    const [only, ...more] = WRITERS.get(field) ?? [];
    return only !== undefined && more.length === 0 ? [only] : [];
  });
  return found[0] ?? (type === 'streamableHttp' ? 'cline' : type === 'remote' ? 'opencode' : undefined);
}

/** Names that tell an entry from similar objects. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  [
    ...Object.values(BY_FIELD).flat(),
    ...OUR_FIELDS,
    ...TIME_FIELDS.keys(),
    ...KEPT_FIELDS.keys(),
    ...'id env_file requestInit provider tags logoUrl registryUrl longRunning icon instructions autoStart capabilities'.split(
      ' ',
    ),
  ].flatMap((name) => [name, name.split('.')[0] ?? name]),
);
