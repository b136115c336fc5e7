import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { checkOwnPlace } from '../../base/own-places.ts';
import { isObject } from '../../base/json.ts';
import { FEATURED } from '../../servers/registry/featured-entries.ts';
import { defaultRegistries, isEvery, type RegistryConfig } from '../../servers/registry/open.ts';

export interface ConfiguredRegistry extends RegistryConfig {
  /** Named by the user: it may be on this machine or in their own network. */
  readonly own: boolean;
}

export interface ListedRegistry extends ConfiguredRegistry {
  readonly enabled: boolean;
}

interface RegistriesFolder {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

export async function readRegistries(place: RegistriesFolder): Promise<readonly ConfiguredRegistry[]> {
  const listed = await listRegistries(place);
  return listed.filter(({ enabled }) => enabled).map(({ enabled: _enabled, ...config }) => config);
}

/** `PLUG_REGISTRIES`, else `registries.json`, laid over the built-in two; disabled ones are listed too. */
export async function listRegistries({ env, folder }: RegistriesFolder): Promise<readonly ListedRegistry[]> {
  const file = registriesFile(folder);
  const given = env[REGISTRIES_VARIABLE];
  const text = given || (await fileText(file));
  const where = given ? REGISTRIES_VARIABLE : file;
  const registries = new Map<string, ListedRegistry>(
    defaultRegistries.map((config) => [config.name, { ...config, own: false, enabled: true }]),
  );
  for (const [name, value] of Object.entries(parse(text, where))) {
    const known = registries.get(name);
    // Of one that is not known otherwise, `false` says nothing that could be shown.
    if (value !== false) registries.set(name, configOf(name, value, known, where));
    else if (known) registries.set(name, { ...known, enabled: false });
  }
  return [...registries.values()];
}

export const REGISTRIES_VARIABLE = 'PLUG_REGISTRIES';

export function registriesFile(folder: string): string {
  return join(folder, 'registries.json');
}

async function fileText(file: string): Promise<string> {
  checkOwnPlace(file);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '{}';
    throw bad(file, messageOf(error));
  }
}

function parse(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(where, messageOf(error));
  }
  if (isObject(value)) return value;
  throw bad(where, 'it is not a map of registries by name');
}

function configOf(
  name: string,
  value: unknown,
  known: RegistryConfig | undefined,
  where: string,
): ListedRegistry {
  if (!isObject(value)) throw bad(where, `“${name}” is neither a registry nor false`);
  const { url = known?.url, kind = known?.kind ?? 'official', headers = known?.headers, enabled } = value;
  if (!isRegistryName(name)) throw bad(where, `“${name.slice(0, 80)}” cannot be a registry's name`);
  if (typeof url !== 'string') throw bad(where, `“${name}” has no url`);
  if (kind !== 'official' && kind !== 'smithery') {
    throw bad(where, `the kind of “${name}” is neither official nor smithery`);
  }
  const pairs = isObject(headers) ? Object.entries(headers) : [];
  const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  if ((headers !== undefined && !isObject(headers)) || texts.length < pairs.length) {
    throw bad(where, `the headers of “${name}” are not a map of texts`);
  }
  const own = url !== known?.url;
  const listed: ListedRegistry = { name, url, kind, own, enabled: enabled !== false };
  return texts.length > 0 ? { ...listed, headers: Object.fromEntries(texts) } : listed;
}

/** `both` and `all` mean several, and `featured` is the built-in table. */
export function isRegistryName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !isEvery([name]) && name !== FEATURED;
}

function bad(where: string, why: string): PlugError {
  return new PlugError('bad_config', `The registries in ${where} cannot be read: ${why}.`, {
    owner: 'you',
    remedy: `Write them as { "acme": { "url": "https://registry.example.com" } } in ${where}.`,
    details: { where },
  });
}
