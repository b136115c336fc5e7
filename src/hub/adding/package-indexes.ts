import { commandRunner } from '../../connections/processes/run-command.ts';
import { toPlugError } from '../../base/errors.ts';
import { npmMetadata } from '../../servers/plans/npm-metadata.ts';
import type { MetadataByRegistry } from '../../servers/plans/pin.ts';
import { pypiMetadata } from '../../servers/plans/pypi-metadata.ts';
import type { AddingCore } from './open.ts';

type Parts = Pick<AddingCore, 'outgoing' | 'clock' | 'limits' | 'searchPath'> & {
  readonly options: Pick<AddingCore['options'], 'env' | 'platform'>;
};

/** Where npm and uv would fetch a package from on this machine: there its version is looked up. */
export class PackageIndexes {
  readonly #core: Parts;
  readonly #npm = new Map<string, Promise<string | undefined>>();

  constructor(core: Parts) {
    this.#core = core;
  }

  /** Empty where the program that would fetch the package cannot be asked. */
  async metadataFor(name: string, signal: AbortSignal | undefined): Promise<MetadataByRegistry> {
    const { outgoing, limits, options } = this.#core;
    const { env } = options;
    const registry = await this.#npmRegistry(name, signal);
    const index = env['UV_DEFAULT_INDEX'] ?? env['UV_INDEX_URL'] ?? env['PIP_INDEX_URL'] ?? PYPI;
    return {
      pypi: pypiMetadata({ fetch: outgoing.open, limits, index }),
      ...(registry === undefined
        ? {}
        : { npm: npmMetadata({ fetch: outgoing.open, limits, registryFor: () => registry }) }),
    };
  }

  /** npm's own answer, because it knows every file and variable that counts. */
  async #npmRegistry(name: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { env } = this.#core.options;
    const scope = /^@[\w.-]+(?=\/)/.exec(name)?.[0];
    const ofScope = scope === undefined ? undefined : await this.#ask(`${scope}:registry`, signal);
    return (
      ofScope ??
      env['npm_config_registry'] ??
      env['NPM_CONFIG_REGISTRY'] ??
      (await this.#ask('registry', signal))
    );
  }

  #ask(setting: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const known = this.#npm.get(setting) ?? this.#run(setting, signal);
    this.#npm.set(setting, known);
    return known;
  }

  async #run(setting: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { options, searchPath, clock, limits } = this.#core;
    const { env: hubEnv, platform = process.platform } = options;
    const run = commandRunner({ hubEnv, platform, searchPath, clock, limits });
    try {
      const answer = (await run(['npm', 'config', 'get', setting], signal ? { signal } : {})).trim();
      return /^https?:\/\//.test(answer) ? answer : undefined;
    } catch (error) {
      this.#npm.delete(setting);
      if (toPlugError(error).code === 'cancelled') throw error;
      return undefined; // without npm the version stays unknown, and the plan says so
    }
  }
}

const PYPI = 'https://pypi.org/simple';
