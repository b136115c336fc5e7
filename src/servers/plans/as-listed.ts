import { detectAuth } from './auth.ts';
import {
  fieldsOf,
  type FormField,
  type InstallPlan,
  type PlanArgument,
  type PlanCommand,
  type PlanText,
} from './plan.ts';

/**
 * A package that a list knows is that entry, however it was given: what the list says that it needs is
 * asked for, beside what was given. An entry that brings values of its own may well be complete, so that
 * the rest can be left out.
 */
export function asListed(plan: InstallPlan, listed: InstallPlan): InstallPlan {
  if (plan.target.kind !== 'command' || listed.target.kind !== 'command') return plan;
  const { target } = plan;
  const isBare = target.env.length === 0 && afterPackage(target).length === 0;
  const env = listed.target.env.filter(({ name }) => !target.env.some((given) => given.name === name));
  const args = isBare ? afterPackage(listed.target) : [];
  const used = new Set([...env, ...args].flatMap(({ text }) => fieldsOf(text)));
  const more = listed.form
    .filter(({ id }) => used.has(id))
    .map((field) => (isBare ? field : { ...field, required: false }));
  const own = plan.form.map((field) => described(field, listed.form));
  const optional = (text: PlanText | undefined): boolean => fieldsOf(text).length > 0;
  const form = [...own, ...more];
  const whole: PlanCommand = {
    ...target,
    args: [...target.args, ...args],
    env: [
      ...target.env,
      ...env.map((value) => ({ ...value, optional: value.optional || optional(value.text) })),
    ],
  };
  const auth = own.length === 0 && isBare ? listed.auth : detectAuth(form, 'local');
  const source = isBare ? listed.source : plan.source;
  return { ...plan, source, target: whole, form, auth };
}

function afterPackage({ args }: PlanCommand): readonly PlanArgument[] {
  const at = args.findIndex(({ text }) =>
    text?.some((part) => typeof part === 'object' && 'package' in part),
  );
  return at < 0 ? [] : args.slice(at + 1);
}

/** What the list knows about a field that the entry asks for, too. */
function described(field: FormField, listed: readonly FormField[]): FormField {
  const known = listed.find(({ id, label }) => id === field.id || label === field.label);
  if (!known) return field;
  const { id, where, required, label } = field;
  // A key file is named like a key, and what is asked for is its path.
  const kind = field.kind === 'secret' && known.kind !== 'file' ? field.kind : known.kind;
  return { ...known, ...field, id, where, required, label, kind };
}
