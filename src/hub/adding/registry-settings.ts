import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { defaultRegistries } from '../../servers/registry/open.ts';
import { problemOfUrl } from '../../servers/server-url.ts';
import type { NewRegistry, RegistriesApi, RegistryView } from '../adding.ts';
import { JsonFile } from '../json-file.ts';
import type { AddingCore } from './open.ts';
import { isRegistryName, listRegistries, REGISTRIES_VARIABLE, registriesFile } from './registry-config.ts';

/** Which registries are searched: a small file of the user's, changed when they ask for it. */
export function registrySettingsOf(core: AddingCore): Pick<RegistriesApi, 'list' | 'save' | 'remove'> {
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
        if (Object.keys(changed).length > limits.registriesMax) throw tooMany(limits.registriesMax);
        const entries = Object.entries(changed).filter(([, entry]) => entry !== undefined);
        return Object.fromEntries(entries);
      });
      return list();
    },
    remove: async (name) => {
      checkOurs(env);
      if (isBuiltIn(name)) {
        throw new PlugError('usage', `“${name}” is there for everybody and cannot be removed.`, {
          owner: 'you',
          next: 'Switch it off instead.',
        });
      }
      await registryFile.change((before) => {
        if (!Object.hasOwn(before, name)) throw unknown(name);
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
export function openRegistryFile({ options, ids }: Pick<AddingCore, 'options' | 'ids'>): JsonFile {
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
    throw new PlugError('usage', `“${name}” needs an address.`, {
      owner: 'you',
      next: 'Give a whole address, such as https://registry.example.com.',
    });
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
    throw new PlugError('usage', `“${name.slice(0, 80)}” cannot be a registry's name.`, {
      owner: 'you',
      next: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
    });
  }
  const builtIn = defaultRegistries.find((registry) => registry.name === name);
  if (builtIn && url !== undefined && url !== builtIn.url) {
    throw new PlugError('usage', `“${name}” is at ${builtIn.url}, and stays there.`, {
      owner: 'you',
      next: 'Add yours under another name.',
    });
  }
  if (url === undefined) return;
  const problem =
    problemOfUrl(url) ?? (/^https?:/i.test(url) ? undefined : 'it must start with http or https');
  if (problem === undefined) return;
  throw new PlugError('usage', `The address of “${name}” cannot be used: ${problem}.`, {
    owner: 'you',
    next: 'Give a whole address, such as https://registry.example.com.',
  });
}

function checkOurs(env: Readonly<Record<string, string | undefined>>): void {
  if (!env[REGISTRIES_VARIABLE]) return;
  throw new PlugError(
    'denied',
    `The registries are set by ${REGISTRIES_VARIABLE}, which wins over the file.`,
    {
      owner: 'you',
      next: `Unset ${REGISTRIES_VARIABLE} and start the hub again, or change it there.`,
    },
  );
}

function isBuiltIn(name: string): boolean {
  return defaultRegistries.some((registry) => registry.name === name);
}

function tooMany(most: number): PlugError {
  return new PlugError('unavailable', `There are ${most} registries already.`, {
    owner: 'you',
    next: 'Remove one first.',
  });
}

function unknown(name: string): PlugError {
  return new PlugError('not_found', `There is no registry “${name.slice(0, 80)}” of your own.`, {
    owner: 'you',
  });
}
