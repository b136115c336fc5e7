import type { Core } from '../core.ts';
import type { ImportsApi, PlansApi, RegistriesApi } from '../adding.ts';
import type { Workspace } from '../workspace.ts';
import { Icons } from '../icons/icons.ts';
import type { JsonFile } from '../json-file.ts';
import { importsOf } from './imports-api.ts';
import { Outgoing } from './outgoing.ts';
import { PackageIndexes } from './package-indexes.ts';
import { PlanShelf } from './plan-shelf.ts';
import { plansOf } from './plans-api.ts';
import { Registries, registriesOf } from './registry-api.ts';
import { openRegistryFile } from './registry-settings.ts';

/** What all folders share for finding and adding servers. */
export interface AddingParts {
  /** What the hub itself asks of the network. */
  readonly outgoing: Outgoing;
  readonly registries: Registries;
  readonly packages: PackageIndexes;
  readonly plans: PlanShelf;
  readonly icons: Icons;
  readonly registryFile: JsonFile;
  /** By id: servers that are being tried, one after the other. */
  readonly trying: Map<string, Promise<unknown>>;
}

/** The core with what adding needs beyond it. */
export type AddingCore = Core & AddingParts;

/** Parsers, registries and downloads: loaded with the first request that needs them. */
export function openAdding(core: Omit<Core, 'adding'>): AddingParts {
  const { options, clock, ids, limits } = core;
  const outgoing = new Outgoing({ env: options.env, clock, ids, limits });
  const shared = { ...core, outgoing };
  return {
    outgoing,
    registries: new Registries(shared),
    packages: new PackageIndexes(shared),
    plans: new PlanShelf({ clock, ids, limits }),
    icons: new Icons({ fetch: outgoing.picture, clock, limits }),
    registryFile: openRegistryFile(core),
    trying: new Map(),
  };
}

export interface AddingApis {
  readonly imports: ImportsApi;
  readonly registries: RegistriesApi;
  readonly plans: PlansApi;
}

export function addingOf(core: Core, parts: AddingParts, workspace: Workspace): AddingApis {
  const whole: AddingCore = { ...core, ...parts };
  return {
    imports: importsOf(core, workspace),
    registries: registriesOf(whole),
    plans: plansOf(whole, workspace),
  };
}
