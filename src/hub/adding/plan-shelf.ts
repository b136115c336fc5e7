import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { MadePlan } from './plan-pasted.ts';

/**
 * Plans that were shown. What is carried out is taken from here by its id, so that nobody can
 * agree to one plan and get another.
 */
export class PlanShelf {
  readonly #options: { readonly clock: Clock; readonly ids: Ids; readonly limits: Limits };
  readonly #plans = new Map<string, { readonly made: MadePlan; readonly until: number }>();

  constructor(options: { readonly clock: Clock; readonly ids: Ids; readonly limits: Limits }) {
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
    throw new PlugError('not_found', 'This plan is no longer known.', {
      owner: 'you',
      next: 'Make it again, and look at it again.',
    });
  }
}
