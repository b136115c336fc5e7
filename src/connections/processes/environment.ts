import { PlugError } from '../../base/errors.ts';
import { isDangerousVariable } from './dangerous-variables.ts';
import { TREE_VARIABLE } from './supervisor-script.ts';

export interface EnvironmentOptions {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  /** From the server's definition, resolved. */
  readonly declared: Readonly<Record<string, string>>;
  /** The PATH that commands are found on; a declared PATH wins over it. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** Allowed by the user although they can change what runs. */
  readonly allowDangerousEnv?: readonly string[];
}

/** A server sees an allow-listed environment and what its definition declares, and nothing else. */
export function childEnvironment(options: EnvironmentOptions): Record<string, string> {
  const windows = options.platform === 'win32';
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.hubEnv)) {
    // Old versions of bash run a value that starts like a function.
    if (value !== undefined && isPassedOn(name, windows) && !value.startsWith('()')) env[name] = value;
  }
  set(env, 'PATH', options.path, windows);
  for (const [name, value] of Object.entries(options.declared)) {
    check(name, value, options.allowDangerousEnv ?? []);
    set(env, name, value, windows);
  }
  return env;
}

/** Without a network npm pauses for over two minutes between its attempts: as many, with shorter pauses. */
export function withNpmPatience(
  command: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const asksNpm = /(?:^|[/\\])npx(?:\.cmd)?$/.test(command);
  return asksNpm ? { ...NPM_PATIENCE, ...env } : { ...env };
}

const NPM_PATIENCE = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '3000',
};

const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

const POSIX = words(
  'HOME SHELL TERM USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
  'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy',
);

const WINDOWS = words(
  'APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PUBLIC USERPROFILE USERNAME USERDOMAIN',
  'HOMEDRIVE HOMEPATH COMPUTERNAME SYSTEMDRIVE SYSTEMROOT WINDIR OS COMSPEC PATHEXT',
  'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES',
  'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PSMODULEPATH',
);

/** Without these npx would ask another registry than npm. */
const NPM_SETTINGS: ReadonlySet<string> = new Set(
  'registry cache userconfig globalconfig proxy https_proxy noproxy cafile strict_ssl offline prefer_offline'
    .split(' ')
    .map((setting) => `npm_config_${setting}`),
);

const PREFIXES = ['LC_', 'XDG_'];

function isPassedOn(name: string, windows: boolean): boolean {
  const key = windows ? name.toUpperCase() : name;
  if (POSIX.has(key) || NPM_SETTINGS.has(key.toLowerCase()) || (windows && WINDOWS.has(key))) return true;
  return PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** On Windows the case of a name does not count: two spellings must not both stay. */
function set(env: Record<string, string>, name: string, value: string, windows: boolean): void {
  if (windows) {
    for (const other of Object.keys(env)) if (other.toUpperCase() === name.toUpperCase()) delete env[other];
  }
  env[name] = value;
}

function check(name: string, value: string, allowed: readonly string[]): void {
  if (!/^[^=\0]+$/.test(name) || value.includes('\0') || name === '__proto__') {
    throw refusal(name, `“${name}” cannot be an environment variable.`, 'Correct the name or the value.');
  }
  if (name === TREE_VARIABLE) {
    throw refusal(name, `The variable ${name} belongs to Plugboard itself.`, `Remove ${name} from “env”.`);
  }
  if (!isDangerousVariable(name, value) || allowed.includes(name)) return;
  throw refusal(
    name,
    `The variable ${name} can make the server run other code than its command says, so it is refused.`,
    `Remove ${name} from “env”, or name it in “allowDangerousEnv” if you trust where it comes from.`,
  );
}

function refusal(variable: string, message: string, text: string): PlugError {
  return new PlugError('bad_config', message, {
    owner: 'you',
    remedy: { do: 'say', text },
    details: { variable },
  });
}
