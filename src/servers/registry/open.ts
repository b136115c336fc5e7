import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { problemOfUrl } from '../server-url.ts';
import type { RegistryKind } from './entry.ts';
import { officialRegistry } from './official.ts';
import type { FetchPort, Registry } from './registry.ts';
import { smitheryRegistry } from './smithery.ts';

export interface RegistryConfig {
  readonly name: string;
  /** `official` also means any registry with the official API. */
  readonly kind: RegistryKind;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const defaultRegistries: readonly RegistryConfig[] = [
  { name: 'official', kind: 'official', url: 'https://registry.modelcontextprotocol.io' },
  { name: 'smithery', kind: 'smithery', url: 'https://api.smithery.ai' },
];

export function openRegistry(
  config: RegistryConfig,
  ports: { readonly fetch: FetchPort; readonly clock: Clock; readonly limits: Limits },
): Registry {
  const problem = problemOfUrl(config.url);
  if (problem !== undefined || !/^https?:/i.test(config.url)) {
    throw new PlugError('bad_config', `The registry “${config.name}” has an address that cannot be used.`, {
      owner: 'you',
      remedy: 'Give a whole address, such as https://registry.example.com.',
      details: { problem: problem ?? 'it must start with http or https' },
    });
  }
  return config.kind === 'smithery'
    ? smitheryRegistry({ ...config, ...ports })
    : officialRegistry({ ...config, ...ports });
}

export function pickRegistries(
  configs: readonly RegistryConfig[],
  names: readonly string[] = [],
): readonly RegistryConfig[] {
  if (names.length === 0 || isEvery(names)) return configs;
  return names.map((name) => {
    const found = configs.find((config) => config.name === name);
    if (found) return found;
    const known = configs.map((config) => config.name).join(', ');
    throw new PlugError('usage', `There is no registry “${name}”. Known are ${known}.`, { owner: 'you' });
  });
}

/** Words for all registries. */
export function isEvery(names: readonly string[]): boolean {
  return names.includes('both') || names.includes('all');
}
