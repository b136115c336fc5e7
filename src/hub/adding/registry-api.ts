import { toPlugError } from '../../base/errors.ts';
import { missingInput } from '../../servers/placeholders.ts';
import { openRegistry, pickRegistries } from '../../servers/registry/open.ts';
import type { Registry } from '../../servers/registry/registry.ts';
import { resolveEndpoint } from '../../servers/resolve-endpoint.ts';
import { readValueFile } from '../../servers/value-file.ts';
import { searchRegistries } from '../../servers/registry/search.ts';
import { syncRegistry } from '../../servers/registry/sync.ts';
import type { RegistriesApi } from '../adding.ts';
import { readRegistries, type ConfiguredRegistry } from './registry-config.ts';
import { registrySettingsOf } from './registry-settings.ts';
import type { AddingCore } from './open.ts';

/** Where servers are listed. */
export function registriesOf(core: AddingCore): RegistriesApi {
  const { clock, limits, owner, storage } = core;
  const common = { store: storage.registry, owner, clock, limits };
  return {
    ...registrySettingsOf(core),
    search: async ({ query, registries: names = [], offline = false, limit }, { signal } = {}) =>
      searchRegistries(query, {
        ...common,
        registries: await core.registries.pick(names),
        offline,
        signal,
        ...(limit === undefined ? {} : { limit }),
      }),
    sync: async ({ registries: names = [] } = {}, { signal } = {}) => {
      const synced = [];
      const failed = [];
      for (const registry of await core.registries.pick(names)) {
        if (registry.list === undefined && names.length === 0) continue;
        try {
          synced.push(await syncRegistry(registry, { ...common, signal }));
        } catch (error) {
          if (signal?.aborted) throw error;
          failed.push({ registry: registry.name, error: toPlugError(error).toView() });
        }
      }
      return { synced, failed };
    },
  };
}

type Parts = Pick<AddingCore, 'options' | 'owner' | 'vault' | 'outgoing' | 'clock' | 'limits'>;

/** The configured registries, opened once each, so that one that asked for a pause gets it. */
export class Registries {
  readonly #core: Parts;
  readonly #open = new Map<string, Registry>();

  constructor(core: Parts) {
    this.#core = core;
  }

  async pick(names: readonly string[] = []): Promise<readonly Registry[]> {
    const { env, paths } = this.#core.options;
    const configs = await readRegistries({ env, folder: paths.config });
    const wanted = new Set(pickRegistries(configs, names).map(({ name }) => name));
    return Promise.all(configs.filter(({ name }) => wanted.has(name)).map((config) => this.#opened(config)));
  }

  async #opened(config: ConfiguredRegistry): Promise<Registry> {
    const { outgoing, clock, limits } = this.#core;
    const key = JSON.stringify(config);
    const known = this.#open.get(key);
    if (known) return known;
    const { own, ...rest } = config;
    const registry = openRegistry(
      { ...rest, headers: await this.#headers(config) },
      { fetch: own ? outgoing.open : outgoing.guarded, clock, limits },
    );
    this.#open.set(key, registry);
    return registry;
  }

  /** A key need not stand in the file: `${vault:acme/key}` and `${ACME_KEY}` work there too. */
  async #headers({ name, url, headers = {} }: ConfiguredRegistry): Promise<Readonly<Record<string, string>>> {
    const { options, vault, owner } = this.#core;
    const resolved = await resolveEndpoint(
      { kind: 'http', url, headers },
      {
        env: (variable) => options.env[variable],
        input: () => undefined,
        command: () => undefined,
        file: (path) => readValueFile(path),
        vault: async (secret) => (await vault.get(owner, secret))?.reveal(),
      },
      { kind: 'file' },
    );
    if (resolved.kind === 'missing') throw missingInput(name, resolved.missing);
    return resolved.endpoint.kind === 'stdio' ? {} : resolved.endpoint.headers;
  }
}
