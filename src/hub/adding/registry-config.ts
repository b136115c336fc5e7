import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { defaultRegistries, type RegistryConfig } from '../../servers/registry/open.ts';

export interface ConfiguredRegistry extends RegistryConfig {
  /** Named by the user: it may be on this machine or in their own network. */
  readonly own: boolean;
}

/**
 * `PLUG_REGISTRIES`, else `registries.json` beside the user's mcp.json, laid over the two that
 * everybody has: `{ "acme": { "url": "https://…" }, "smithery": false }`.
 */
export async function readRegistries(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}): Promise<readonly ConfiguredRegistry[]> {
  const file = join(options.folder, 'registries.json');
  const given = options.env['PLUG_REGISTRIES'];
  const text = given ? given : await textOf(file);
  const where = given ? 'PLUG_REGISTRIES' : file;
  const registries = new Map<string, ConfiguredRegistry>(
    defaultRegistries.map((config) => [config.name, { ...config, own: false }]),
  );
  for (const [name, value] of Object.entries(parse(text, where))) {
    if (value === false) registries.delete(name);
    else registries.set(name, configOf(name, value, registries.get(name), where));
  }
  return [...registries.values()];
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isObject(error) && error['code'] === 'ENOENT') return '{}';
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
): ConfiguredRegistry {
  if (!isObject(value)) throw bad(where, `“${name}” is neither a registry nor false`);
  const { url = known?.url, kind = known?.kind ?? 'official', headers = known?.headers } = value;
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) || name === 'both' || name === 'all') {
    throw bad(where, `“${name.slice(0, 80)}” cannot be a registry's name`);
  }
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
  return { name, url, kind, own, ...(texts.length > 0 ? { headers: Object.fromEntries(texts) } : {}) };
}

function bad(where: string, why: string): PlugError {
  return new PlugError('bad_config', `The registries in ${where} cannot be read: ${why}.`, {
    owner: 'you',
    next: `Write them as { "acme": { "url": "https://registry.example.com" } } in ${where}.`,
    details: { where },
  });
}
