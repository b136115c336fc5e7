import { publicOnly } from '../../connections/http/address-guard.ts';
import { createFetch } from '../../connections/http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../../connections/http/http-client.ts';
import { npmRunner } from '../../connections/processes/run-npm.ts';
import { npmMetadata, pypiMetadata } from '../../servers/plans/package-metadata.ts';
import type { MetadataByRegistry } from '../../servers/plans/pin.ts';
import type { FetchPort } from '../../servers/registry/registry.ts';
import type { Core, HubOptions } from '../core.ts';
import type { PackageIntegrityOptions } from './package-integrity.ts';

type OutgoingOptions = Pick<Core, 'clock' | 'ids' | 'limits'> & Pick<HubOptions, 'env' | 'tenancy'>;

export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #clients = new Map<'guarded' | 'open', HttpClient>();

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  /** For addresses that others have named: only the public internet. */
  get guarded(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.registryAnswerBytesMax);
  }

  /** For addresses that the user has named; those of the hub's own user may be in their own network. */
  get open(): FetchPort {
    return this.#fetch('open', this.#options.limits.registryAnswerBytesMax);
  }

  get picture(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.iconBytesMax);
  }

  get download(): FetchPort {
    return this.#fetch('guarded', this.#options.limits.bundleBytesMax);
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  #fetch(kind: 'guarded' | 'open', httpAnswerBytesMax: number): FetchPort {
    const { clock } = this.#options;
    const limits = { ...this.#options.limits, httpAnswerBytesMax };
    const guard = kind === 'guarded' ? publicOnly : this.#options.tenancy?.guard;
    let client = this.#clients.get(kind);
    if (!client) {
      client = createHttpClient({ ...this.#options, ...(guard ? { guard } : {}) });
      this.#clients.set(kind, client);
    }
    // Without the retries of a connection: a registry's pauses are told to the user instead.
    return createFetch({ dispatcher: client.dispatcher, clock, limits, guard });
  }
}

/** Where npm and uv would fetch a package from on this machine: there its version is looked up. */
export function packageIndexes(
  outgoing: Outgoing,
  {
    clock,
    limits,
    searchPath,
    options,
  }: Pick<PackageIntegrityOptions, 'clock' | 'limits' | 'searchPath' | 'options'>,
): MetadataByRegistry {
  const { env: hubEnv, platform = process.platform, tenancy } = options;
  // npm is a program of this machine, and so are its settings.
  if (tenancy) return {};
  const index = hubEnv['UV_DEFAULT_INDEX'] ?? hubEnv['UV_INDEX_URL'] ?? hubEnv['PIP_INDEX_URL'] ?? PYPI;
  return {
    npm: npmMetadata(npmRunner({ hubEnv, platform, searchPath, clock, limits })),
    pypi: pypiMetadata({ fetch: outgoing.open, limits, index }),
  };
}

const PYPI = 'https://pypi.org/simple';
