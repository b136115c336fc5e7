/** All names for one field, in order of preference. */
export const ALIASES = {
  command: ['command', 'cmd', 'executable', 'program'],
  args: ['args', 'arguments', 'argv'],
  env: ['env', 'environment', 'envs', 'envVars', 'environmentVariables', 'environment_variables'],
  cwd: ['cwd', 'workingDirectory', 'working_directory', 'workdir', 'workingDir', 'directory'],
  url: [
    'httpUrl',
    'http_url',
    'url',
    'serverUrl',
    'serverURL',
    'server_url',
    'uri',
    'baseUrl',
    'base_url',
    'endpoint',
    'sseUrl',
    'sse_url',
  ],
  headers: ['headers', 'http_headers', 'httpHeaders', 'header'],
  transport: ['type', 'transport', 'transportType', 'transport_type', 'connectionType'],
  name: ['name', 'serverName', 'server_name', 'server_label', 'title'],
  envKeys: ['env_keys', 'env_vars', 'envKeys', 'required_env_vars', 'requiredEnv', 'required_env'],
} as const;

export type FieldName = keyof typeof ALIASES;

/** Words that aren't listed, such as “remote”, don't name a transport. */
const TRANSPORTS: Readonly<Record<string, 'stdio' | 'http' | 'sse' | 'ws'>> = {
  stdio: 'stdio',
  local: 'stdio',
  command: 'stdio',
  process: 'stdio',
  http: 'http',
  https: 'http',
  streamablehttp: 'http',
  streamable: 'http',
  httpstream: 'http',
  httpstreamable: 'http',
  sse: 'sse',
  httpsse: 'sse',
  ws: 'ws',
  websocket: 'ws',
};

export function transportOf(word: unknown): 'stdio' | 'http' | 'sse' | 'ws' | undefined {
  if (typeof word !== 'string') return undefined;
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.hasOwn(TRANSPORTS, plain) ? TRANSPORTS[plain] : undefined;
}

/** Run inside their host: there is nothing to connect to. */
export const BUILT_IN_TYPES: ReadonlySet<string> = new Set([
  'builtin',
  'platform',
  'frontend',
  'inline_python',
  'inlinepython',
]);

/** Other fields of an entry, which tell it from similar objects. */
export const ENTRY_FIELDS: ReadonlySet<string> = new Set([
  'disabled',
  'enabled',
  'isActive',
  'active',
  'autoApprove',
  'alwaysAllow',
  'timeout',
  'timeout_s',
  'trust',
  'description',
  'id',
  'tools',
  'includeTools',
  'excludeTools',
  'disabledTools',
  'enabled_tools',
  'disabled_tools',
  'envFile',
  'env_file',
  'gallery',
  'version',
  'oauth',
  'auth',
  'requestInit',
  'requestOptions',
  'bearer_token_env_var',
  'authorization_token',
  'env_http_headers',
  'startup_timeout_sec',
  'tool_timeout_sec',
  'settings',
  'source',
  'bundled',
  'available_tools',
  'inputs',
  'initTimeout',
  'connectionTimeout',
  'iconPath',
  'chatMenu',
  'serverInstructions',
  'dev',
  'alwaysLoad',
  'provider',
  'tags',
  'logoUrl',
  'registryUrl',
  'longRunning',
  'sandbox',
  'icon',
  'instructions',
  'autoStart',
  'capabilities',
  'roots',
]);

/** Lower case, without punctuation. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'mcpservers',
  'mcpserver',
  'servers',
  'contextservers',
  'extensions',
  'mcp',
  'modelcontextprotocolservers',
  'mcpconfig',
  'mcps',
]);

export function isContainer(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[^a-z.]/g, '');
  return CONTAINERS.has(plain) || /(?:^|\.)(?:mcpservers|mcp\.servers|contextservers)$/.test(plain);
}
