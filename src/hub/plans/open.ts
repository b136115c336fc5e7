import type { Core } from '../core.ts';
import type { Implementations } from '../operations/table.ts';
import type { Workspace } from '../workspace.ts';
import { Icons } from '../icons/icons.ts';
import type { MetadataByRegistry } from '../../servers/plans/pin.ts';
import type { JsonFile } from '../json-file.ts';
import { importsOf } from './imports-api.ts';
import { Outgoing, packageIndexes } from './outgoing.ts';
import { plansOf } from './plans-api.ts';
import { openRegistryFile, Registries, registriesOf } from './registry-api.ts';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { Access } from '../../servers/plans/auth.ts';
import { httpProbe } from '../../servers/plans/probe.ts';
import type { FetchPort } from '../../servers/registry/registry.ts';
import { offersSignIn } from './offers-sign-in.ts';
import type { MadePlan } from './plan-pasted.ts';

export interface AccessOptions {
  readonly fetch: FetchPort;
  readonly signal?: AbortSignal | undefined;
}

export interface PlanParts {
  readonly outgoing: Outgoing;
  readonly registries: Registries;
  readonly packages: MetadataByRegistry;
  readonly plans: PlanShelf;
  readonly icons: Icons;
  readonly registryFile: JsonFile;
  /** Whether a server is open, lets people sign in, or wants a key. */
  readonly access: (url: string, options: AccessOptions) => Promise<Access>;
}

export type PlanCore = Core & PlanParts;

/** Parsers, registries and downloads: loaded with the first request that needs them. */
export function openPlanParts(
  core: Omit<Core, 'planParts' | 'versions' | typeof Symbol.asyncDispose>,
): PlanParts {
  const { options, clock, ids, limits } = core;
  const outgoing = new Outgoing({ ...options, clock, ids, limits });
  return {
    outgoing,
    registries: new Registries({ ...core, outgoing }),
    packages: packageIndexes(outgoing, core),
    plans: new PlanShelf(core),
    icons: new Icons({ fetch: outgoing.picture, clock, limits }),
    registryFile: openRegistryFile(core),
    access: (url, { fetch, signal }) =>
      httpProbe({
        fetch,
        limits,
        offersSignIn: (challenge) =>
          offersSignIn({ ...core, env: options.env, guard: options.tenancy?.guard }, challenge),
      })(url, defined({ signal })),
  };
}

export function planOperations(
  core: Core,
  parts: PlanParts,
  workspace: Workspace,
): Pick<Implementations, 'imports' | 'registries' | 'plans'> {
  const whole: PlanCore = { ...core, ...parts };
  return {
    imports: importsOf(core, workspace),
    registries: registriesOf(whole),
    plans: plansOf(whole, workspace),
  };
}

/** Plans that were shown. They are taken by id, so that a person can't agree to one plan and get another. */
export class PlanShelf {
  readonly #options: Pick<Core, 'clock' | 'ids' | 'limits'>;
  readonly #plans = new Map<string, { readonly made: MadePlan; readonly until: number }>();

  constructor(options: Pick<Core, 'clock' | 'ids' | 'limits'>) {
    this.#options = options;
  }

  put(made: MadePlan): string {
    const { clock, ids, limits } = this.#options;
    const id = ids.next('plan');
    this.#plans.set(id, { made, until: clock.monotonic() + limits.planKeptMs });
    for (const [oldest] of this.#plans) {
      if (this.#plans.size <= limits.plansKeptMax) break;
      this.#plans.delete(oldest);
    }
    return id;
  }

  /** May be taken again: a plan whose server did not start can be tried with other values. */
  take(id: string): MadePlan {
    const kept = this.#plans.get(id);
    if (kept && kept.until > this.#options.clock.monotonic()) return kept.made;
    this.#plans.delete(id);
    const remedy = 'Create it again and review it.';
    throw new PlugError('not_found', 'This plan has expired.', { owner: 'you', remedy });
  }
}
