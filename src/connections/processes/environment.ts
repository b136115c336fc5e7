import { PlugError } from '../../base/errors.ts';
import { isDangerousVariable } from './dangerous-variables.ts';
import { TREE_VARIABLE } from './supervisor-script.ts';

export interface EnvironmentOptions {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  /** What the server's definition asks for, resolved. */
  readonly declared: Readonly<Record<string, string>>;
  /** The PATH that commands are found on; a declared PATH wins over it. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** Variables that the user has allowed although they can change what runs. */
  readonly allowDangerousEnv?: readonly string[];
}

/** A server sees what every program needs and what its definition declares, and nothing else. */
export function childEnvironment(options: EnvironmentOptions): Record<string, string> {
  const windows = options.platform === 'win32';
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.hubEnv)) {
    if (value !== undefined && isPassedOn(name, windows) && !isShellFunction(value)) env[name] = value;
  }
  set(env, 'PATH', options.path, windows);
  for (const [name, value] of Object.entries(options.declared)) {
    check(name, value, options.allowDangerousEnv ?? []);
    set(env, name, value, windows);
  }
  return env;
}

const POSIX: ReadonlySet<string> = new Set(
  (
    'HOME SHELL TERM USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP ' +
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy'
  ).split(' '),
);

const WINDOWS: ReadonlySet<string> = new Set(
  (
    'APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PUBLIC USERPROFILE USERNAME USERDOMAIN ' +
    'HOMEDRIVE HOMEPATH COMPUTERNAME SYSTEMDRIVE SYSTEMROOT WINDIR OS COMSPEC PATHEXT ' +
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES ' +
    'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PSMODULEPATH'
  ).split(' '),
);

/** Where npx fetches packages from and keeps them: without these it would ask another registry than npm. */
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

/** Old versions of bash run what follows such a value when they start. */
function isShellFunction(value: string): boolean {
  return value.startsWith('()');
}

/** Windows knows a variable by its letters, whatever their case: two spellings must not both stay. */
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
