import { parse } from 'jsonc-parser';
import type { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { DefaultsChange, Effect, PolicyDefaults } from '../../hub/hub.ts';
import { usage } from '../failures.ts';
import type { Session } from '../session.ts';

export interface SettingView {
  readonly key: string;
  readonly value: string | null;
  readonly origin: 'default' | 'rules.json' | 'environment';
  readonly says: string;
  readonly values: readonly Effect[];
  readonly variable?: string;
}

const EFFECTS: readonly Effect[] = ['allow', 'ask', 'deny'];

const DEFAULTS: Readonly<Record<string, { readonly says: string; readonly values: readonly Effect[] }>> = {
  connect: { says: "connecting to a server you don't trust", values: EFFECTS },
  list: { says: 'listing the tools of such a server', values: EFFECTS },
  'call.read': { says: 'read-only tools of a trusted server', values: EFFECTS },
  'call.write': { says: 'tools that can change data', values: EFFECTS },
  'call.destructive': { says: 'destructive tools', values: ['ask', 'deny'] },
  'call.unknown': { says: 'all other tools', values: EFFECTS },
};

const SECRETS_KEY = 'secrets-in-results';
const SECRETS_SAYS = 'known secrets in results';

const VARIABLES: Readonly<Record<string, { readonly variable: string; readonly says: string }>> = {
  home: { variable: 'PLUG_HOME', says: 'one folder for all of Plugboard’s files' },
  'mcp-config': { variable: 'PLUG_MCP_CONFIG', says: 'a config file that overrides the others' },
  database: { variable: 'PLUG_DATABASE_URL', says: 'PostgreSQL instead of SQLite' },
  port: { variable: 'PLUG_PORT', says: "the hub's port on loopback" },
  registries: { variable: 'PLUG_REGISTRIES', says: 'registries, as JSON' },
  'remote-only': { variable: 'PLUG_REMOTE_ONLY', says: 'reject servers that run on this machine' },
  'no-first-looks': {
    variable: 'PLUG_NO_FIRST_LOOKS',
    says: 'don’t start servers only to read their tools',
  },
  'master-key': { variable: 'PLUG_MASTER_KEY', says: 'the vault key' },
  'no-keyring': { variable: 'PLUG_NO_KEYRING', says: 'don’t use the system keyring' },
  'client-metadata-url': { variable: 'PLUG_CLIENT_METADATA_URL', says: 'OAuth client metadata document' },
};

const KEYS: readonly string[] = [...Object.keys(DEFAULTS), SECRETS_KEY, ...Object.keys(VARIABLES)];

export function settingKeys(): readonly { readonly key: string; readonly says: string }[] {
  const all = { ...DEFAULTS, [SECRETS_KEY]: { says: SECRETS_SAYS }, ...VARIABLES };
  return Object.entries(all).map(([key, { says }]) => ({ key, says }));
}

export function settingValues(key: string): readonly Effect[] {
  return DEFAULTS[key]?.values ?? [];
}

export function settingsFrom(
  defaults: PolicyDefaults,
  rulesText: string,
  env: Session['env'],
): readonly SettingView[] {
  const written: unknown = parse(rulesText);
  const own = isObject(written) ? written : {};
  const secrets = own['secretsInResults'];
  return [
    ...Object.entries(DEFAULTS).map(([key, { says, values }]): SettingView => ({
      key,
      value: defaultsByKey(defaults)[key] ?? '',
      origin: isWritten(own['defaults'], key) ? 'rules.json' : 'default',
      says,
      values,
    })),
    {
      key: SECRETS_KEY,
      value: typeof secrets === 'string' ? secrets : 'mask',
      origin: typeof secrets === 'string' ? 'rules.json' : 'default',
      says: SECRETS_SAYS,
      values: [],
    },
    ...Object.entries(VARIABLES).map(([key, { variable, says }]): SettingView => ({
      key,
      value: shown(variable, env[variable]),
      origin: env[variable] ? 'environment' : 'default',
      says,
      values: [],
      variable,
    })),
  ];
}

export function knownKey(key: string): string {
  if (KEYS.includes(key)) return key;
  const near = suggest(key, KEYS);
  const message = `There is no setting “${key.slice(0, 60)}”. ${didYouMean(near)}`.trim();
  throw usage(message, 'plug config list', { suggestions: near, keys: KEYS });
}

export function changeFor(key: string, value: string): DefaultsChange {
  const setting = DEFAULTS[knownKey(key)];
  if (!setting) throw setElsewhere(key);
  const { values } = setting;
  const effect = values.find((one) => one === value);
  if (effect !== undefined) return defaultsChange(key, effect);
  const message = `${key} is one of ${values.join(', ')}; not “${value.slice(0, 60)}”.`;
  throw usage(message, `plug config set ${key} ask`, { values });
}

export function defaultsChange(key: string, effect: Effect): DefaultsChange {
  return key.startsWith('call.') ? { call: { [key.slice(5)]: effect } } : { [key]: effect };
}

/** Every default by its key, such as `call.write`. */
export function defaultsByKey({ connect, list, call }: PolicyDefaults): Readonly<Record<string, string>> {
  const calls = Object.entries(call).map(([risk, effect]) => [`call.${risk}`, effect]);
  return { connect, list, ...Object.fromEntries(calls) };
}

function setElsewhere(key: string): PlugError {
  const variable = VARIABLES[key]?.variable;
  if (variable === undefined)
    return usage(`${key} is set in the rules file, as “secretsInResults”.`, 'plug config edit rules');
  return usage(
    `${key} comes from the environment, as ${variable}.`,
    `export ${variable}=…, then plug hub restart`,
    { variable },
  );
}

function isWritten(defaults: unknown, key: string): boolean {
  if (!isObject(defaults)) return false;
  if (!key.startsWith('call.')) return defaults[key] !== undefined;
  return isObject(defaults['call']) && defaults['call'][key.slice(5)] !== undefined;
}

/** A key is never shown, nor is the password in an address or what registries take as a header. */
function shown(variable: string, value: string | undefined): string | null {
  if (!value) return null;
  if (variable === 'PLUG_MASTER_KEY' || variable === 'PLUG_REGISTRIES') return 'set';
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password === '' && url.username === '') return value;
  url.password = url.password === '' ? '' : 'secret';
  return url.href.replace(':secret@', ':…@');
}
