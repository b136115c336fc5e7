import { defined } from '../../base/defined.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { missingInput } from '../../servers/placeholders.ts';
import { FEATURED } from '../../servers/registry/featured-entries.ts';
import { defaultRegistries, isEvery, openRegistry, pickRegistries } from '../../servers/registry/open.ts';
import type { Registry } from '../../servers/registry/registry.ts';
import { resolveEndpoint } from '../../servers/resolve-endpoint.ts';
import { readValueFile } from '../../servers/value-file.ts';
import { searchRegistries } from '../../servers/registry/search.ts';
import { syncRegistry } from '../../servers/registry/sync.ts';
import {
  type ConfiguredRegistry,
  isRegistryName,
  listRegistries,
  readRegistries,
  REGISTRIES_VARIABLE,
  registriesFile,
} from './registry-config.ts';
import type { PlanCore } from './open.ts';
import type { Implementations } from '../operations/table.ts';
import { isObject } from '../../base/json.ts';
import { featuredByCategory } from '../../servers/featured-table.ts';
import { problemOfUrl } from '../../servers/server-url.ts';
import type { NewRegistry, RegistryView } from '../hub.ts';
import { JsonFile } from '../json-file.ts';

export function registriesOf(core: PlanCore): Implementations['registries'] {
  const { clock, limits, owner, storage } = core;
  const common = { store: storage.registry, owner, clock, limits };
  return {
    ...registrySettingsOf(core),
    featured: () => Promise.resolve(featuredByCategory),
    search: async ({ query, registries: names = [], offline = false, limit }, { signal }) =>
      searchRegistries(query, {
        ...common,
        ...(await core.registries.among(names)),
        offline,
        signal,
        ...defined({ limit }),
      }),
    sync: async ({ registries: names = [] }, { signal }) => {
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

type Parts = Pick<PlanCore, 'options' | 'owner' | 'vault' | 'outgoing' | 'clock' | 'limits'>;

/** The configured registries, opened once each, so that one that asked for a pause gets it. */
export class Registries {
  readonly #core: Parts;
  readonly #open = new Map<string, Registry>();

  constructor(core: Parts) {
    this.#core = core;
  }

  /** Those that are switched off, too: they are known, and say so when they are asked for. */
  async names(): Promise<readonly string[]> {
    const { env, paths } = this.#core.options;
    return (await listRegistries({ env, folder: paths.config })).map(({ name }) => name);
  }

  async pick(names: readonly string[] = []): Promise<readonly Registry[]> {
    const { env, paths } = this.#core.options;
    const configs = await readRegistries({ env, folder: paths.config });
    const wanted = new Set(pickRegistries(configs, names).map(({ name }) => name));
    return Promise.all(configs.filter(({ name }) => wanted.has(name)).map((config) => this.#opened(config)));
  }

  /** What is searched: the registries of these names, and the featured table unless others are named alone. */
  async among(
    names: readonly string[] = [],
  ): Promise<{ readonly registries: readonly Registry[]; readonly featured: boolean }> {
    const others = names.filter((name) => name !== FEATURED);
    const featured = names.length === 0 || isEvery(names) || others.length < names.length;
    const isOnly = names.length > 0 && others.length === 0;
    return { registries: isOnly ? [] : await this.pick(others), featured };
  }

  async #opened(config: ConfiguredRegistry): Promise<Registry> {
    const { outgoing, clock, limits } = this.#core;
    const key = JSON.stringify(config);
    const known = this.#open.get(key);
    if (known) return known;
    const { own, ...rest } = config;
    const fetch = own ? outgoing.open : outgoing.guarded;
    const registry = openRegistry(
      { ...rest, headers: await this.#headers(config) },
      { fetch, clock, limits },
    );
    this.#open.set(key, registry);
    return registry;
  }

  /** A key need not stand in the file: `${vault:acme/key}` and `${ACME_KEY}` work there too. */
  async #headers({ name, url, headers = {} }: ConfiguredRegistry): Promise<Readonly<Record<string, string>>> {
    const { options, vault, owner } = this.#core;
    const resolved = await resolveEndpoint(
      {
        id: name,
        endpoint: { kind: 'http', url, headers },
        // `registries.json` and PLUG_REGISTRIES are the user's own.
        source: { kind: 'file', author: 'user' },
        config: {},
      },
      {
        env: (variable) => options.env[variable],
        input: () => undefined,
        command: () => undefined,
        file: (path) => readValueFile(path),
        vault: async (secret) => (await vault.get(owner, secret))?.reveal(),
      },
    );
    if (resolved.kind === 'missing') throw missingInput(name, resolved.missing);
    return resolved.endpoint.kind === 'stdio' ? {} : resolved.endpoint.headers;
  }
}

function registrySettingsOf(core: PlanCore): Pick<Implementations['registries'], 'list' | 'save' | 'remove'> {
  const { options, limits, registryFile } = core;
  const { env } = options;
  const list = async (): Promise<readonly RegistryView[]> => {
    const listed = await listRegistries({ env, folder: options.paths.config });
    return listed.map(({ name, url, kind, enabled, own }) => ({ name, url, kind, enabled, own }));
  };
  return {
    list,
    save: async (given) => {
      checkOurs(env);
      checkNew(given);
      await list(); // what is wrong in the file is said before it is changed
      await registryFile.change((before) => {
        const changed = { ...before, [given.name]: entryOf(given, before[given.name]) };
        if (Object.keys(changed).length > limits.registriesMax) {
          const why = `There are ${limits.registriesMax} registries already.`;
          throw new PlugError('unavailable', why, { owner: 'you', remedy: 'Remove one first.' });
        }
        return defined(changed);
      });
      return list();
    },
    remove: async ({ name }) => {
      checkOurs(env);
      if (isBuiltIn(name)) {
        const why = `“${name}” is built in and can’t be removed.`;
        throw new PlugError('usage', why, { owner: 'you', remedy: 'Disable it instead.' });
      }
      await registryFile.change((before) => {
        if (!Object.hasOwn(before, name)) {
          const why = `There is no registry “${name.slice(0, 80)}” of your own.`;
          throw new PlugError('not_found', why, { owner: 'you' });
        }
        const { [name]: _gone, ...rest } = before;
        return rest;
      });
      // What it listed must not be found any more.
      await core.storage.registry.dropRegistry(core.owner, name);
      return list();
    },
  };
}

/** All folders share one, so that changes come one after the other. */
export function openRegistryFile({ options, ids }: Pick<PlanCore, 'options' | 'ids'>): JsonFile {
  return new JsonFile(registriesFile(options.paths.config), { what: 'registries', ids });
}

/** What stands in the file for it; undefined means nothing. */
function entryOf({ name, url, enabled }: NewRegistry, before: unknown): unknown {
  const known = isObject(before) ? before : {};
  if (isBuiltIn(name)) {
    const { enabled: _switch, ...rest } = known;
    if (enabled === false) return Object.keys(rest).length > 0 ? { ...rest, enabled } : false;
    if (enabled === undefined && before !== undefined) return before;
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
  if (url === undefined && !isObject(before)) {
    throw new PlugError('usage', `“${name}” needs an address.`, { owner: 'you', remedy: WHOLE_ADDRESS });
  }
  // A key in the headers is for the address that it was given for.
  const { enabled: _switch, headers, ...rest } = known;
  const same = url === undefined || url === known['url'];
  return {
    ...rest,
    ...(url === undefined ? {} : { url }),
    ...(same && headers !== undefined ? { headers } : {}),
    ...((enabled ?? known['enabled']) === false ? { enabled: false } : {}),
  };
}

function checkNew({ name, url }: NewRegistry): void {
  if (!isRegistryName(name)) {
    const why = `“${name.slice(0, 80)}” cannot be a registry's name.`;
    const remedy = 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.';
    throw new PlugError('usage', why, { owner: 'you', remedy });
  }
  const builtIn = defaultRegistries.find((registry) => registry.name === name);
  if (builtIn && url !== undefined && url !== builtIn.url) {
    const why = `“${name}” is at ${builtIn.url}, and stays there.`;
    throw new PlugError('usage', why, { owner: 'you', remedy: 'Add yours under another name.' });
  }
  if (url === undefined) return;
  const problem =
    problemOfUrl(url) ?? (/^https?:/i.test(url) ? undefined : 'it must start with http or https');
  if (problem === undefined) return;
  const why = `The address of “${name}” cannot be used: ${problem}.`;
  throw new PlugError('usage', why, { owner: 'you', remedy: WHOLE_ADDRESS });
}

const WHOLE_ADDRESS = 'Give a whole address, such as https://registry.example.com.';

function checkOurs(env: Readonly<Record<string, string | undefined>>): void {
  if (!env[REGISTRIES_VARIABLE]) return;
  const why = `The registries are set by ${REGISTRIES_VARIABLE}, which wins over the file.`;
  const remedy = `Unset ${REGISTRIES_VARIABLE} and start the hub again, or change it there.`;
  throw new PlugError('denied', why, { owner: 'you', remedy });
}

function isBuiltIn(name: string): boolean {
  return defaultRegistries.some((registry) => registry.name === name);
}
