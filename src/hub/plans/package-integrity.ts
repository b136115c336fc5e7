import { messageOf } from '../../base/errors.ts';
import { within } from '../../connections/processes/within.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { commandPackage } from '../../servers/plans/command-package.ts';
import {
  checkIntegrity,
  type MetadataByRegistry,
  type PackageFacts,
  type RecordedPackage,
} from '../../servers/plans/pin.ts';
import type { Core, HubOptions } from '../core.ts';
import type { Outgoing } from './outgoing.ts';

export type PackageIntegrityOptions = Pick<Core, 'clock' | 'ids' | 'limits' | 'logger' | 'searchPath'> & {
  readonly options: Pick<HubOptions, 'env' | 'platform' | 'tenancy'>;
};

interface RememberedFacts {
  /** Absent when the index could not be asked. */
  readonly facts: Promise<PackageFacts | undefined>;
  /** From then on it is asked again; without end while the answer is on its way. */
  until: number;
}

/** Checks that a version still has the approved content; an index that can't be asked stops nothing. */
export class PackageIntegrity {
  readonly #options: PackageIntegrityOptions;
  readonly #asked = new Map<string, RememberedFacts>();
  #indexes: Promise<{ readonly outgoing: Outgoing; readonly packages: MetadataByRegistry }> | undefined;

  constructor(options: PackageIntegrityOptions) {
    this.#options = options;
  }

  /** Throws when the package is not the approved one. */
  async check(definition: ServerDefinition, endpoint: Endpoint): Promise<void> {
    const recorded = recordedIn(definition, endpoint);
    if (recorded === undefined) return;
    const key = JSON.stringify(recorded);
    const facts = await this.#factsOf(key, recorded);
    if (facts === undefined) return;
    try {
      checkIntegrity(recorded, facts);
    } catch (error) {
      // A retry after the index was put right shall not wait for a day.
      this.#asked.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    await (await this.#indexes)?.outgoing.close();
  }

  #factsOf(key: string, recorded: RecordedPackage): Promise<PackageFacts | undefined> {
    const { clock, limits } = this.#options;
    const known = this.#asked.get(key);
    if (known !== undefined && clock.now() < known.until) return known.facts;
    const ask = async (): Promise<PackageFacts | undefined> => {
      const facts = await this.#ask(recorded);
      asked.until = clock.now() + (facts === undefined ? limits.integrityRetryMs : limits.integrityFreshMs);
      return facts;
    };
    const asked: RememberedFacts = { facts: ask(), until: Number.POSITIVE_INFINITY };
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > limits.integrityKeptMax && oldest !== undefined) this.#asked.delete(oldest);
    return asked.facts;
  }

  async #ask(recorded: RecordedPackage): Promise<PackageFacts | undefined> {
    const { clock, limits, logger } = this.#options;
    const giveUp = new AbortController();
    const lookup = this.#lookUp(recorded, giveUp.signal);
    const { server, name, version } = recorded;
    const unchecked = (why: string): undefined => {
      logger.warn(`${name} ${version} is started without a check of its checksum: ${why}`, { server });
    };
    if (!(await within(lookup, limits.integrityLookupMs, clock))) {
      giveUp.abort();
      return unchecked(`its index did not answer within ${limits.integrityLookupMs / 1000} s.`);
    }
    try {
      const facts = await lookup;
      if (facts?.version === version) return facts;
      return unchecked(facts ? 'its registry no longer lists this version.' : 'npm cannot be asked.');
    } catch (error) {
      return unchecked(messageOf(error));
    }
  }

  async #lookUp(recorded: RecordedPackage, signal: AbortSignal): Promise<PackageFacts | undefined> {
    const { packages } = await (this.#indexes ??= this.#open());
    const name = recorded.name.replace(/\[.*$/, '');
    return await packages[recorded.registry]?.lookup(name, recorded.version, { signal });
  }

  /** The HTTP client is large: a hub that starts no pinned package never loads it. */
  async #open(): Promise<{ readonly outgoing: Outgoing; readonly packages: MetadataByRegistry }> {
    const { Outgoing, packageIndexes } = await import('./outgoing.ts');
    const { options, clock, ids, limits } = this.#options;
    const outgoing = new Outgoing({ ...options, clock, ids, limits });
    return { outgoing, packages: packageIndexes(outgoing, this.#options) };
  }
}

/** Recorded when the plan was approved, if the command still runs that version. Images and bundles need no index. */
function recordedIn(definition: ServerDefinition, endpoint: Endpoint): RecordedPackage | undefined {
  const { id: server, package: pack } = definition;
  if (pack?.integrity === undefined || endpoint.kind !== 'stdio') return undefined;
  const { registry, name, version, integrity } = pack;
  if (registry !== 'npm' && registry !== 'pypi') return undefined;
  const run = commandPackage(endpoint.command, endpoint.args)?.package;
  if (run?.registry !== registry || run.name !== name || run.version !== version) return undefined;
  return { server, registry, name, version, integrity };
}
