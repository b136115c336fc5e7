import { defined } from '../../base/defined.ts';
import { renderPlan } from '../../servers/plans/render.ts';
import type { OfferedPlan } from '../plans.ts';
import type { PlanCore } from './open.ts';
import type { MadePlan } from './plan-pasted.ts';

/** A plan as it is shown; it is kept under the id that comes with it. */
export function offerOf(core: PlanCore, made: MadePlan): OfferedPlan {
  const { plan, given, publisher, docs, settings } = made;
  const open = plan.form.filter((field) => field.required && field.default === undefined);
  const needs = open.map(({ id }) => id).filter((id) => !Object.hasOwn(given, id));
  return {
    plan: core.plans.put(made),
    server: plan.id,
    view: renderPlan(plan),
    needs,
    bundle: plan.target.kind === 'bundle',
    ...defined({ publisher, docs, disabled: settings.enabled === false ? (true as const) : undefined }),
  };
}
