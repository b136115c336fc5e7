import { isObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { blanksInText } from '../../servers/entry/blanks.ts';
import type { FormField } from '../../servers/plans/plan.ts';
import { scalar } from '../../servers/plans/remote.ts';
import type { MadePlan } from './plan-pasted.ts';

/** `--config '{"apiKey": "…"}'` answers what the entry's schema asks for; sample texts are still asked for. */
export function withConfig(made: MadePlan, config: Readonly<Record<string, unknown>>): MadePlan {
  const values = new Map(valuesIn(config, ''));
  const valueFor = ({ id }: FormField): string | undefined => {
    const value = id.startsWith(CONFIG) ? values.get(id.slice(CONFIG.length)) : undefined;
    return value === undefined || blanksInText(value).length > 0 ? undefined : value;
  };
  const form = made.plan.form.map((field) => {
    const value = valueFor(field);
    return value === undefined || field.kind === 'secret'
      ? field
      : { ...field, default: value, required: true };
  });
  const secrets = made.plan.form.flatMap((field) => {
    const value = valueFor(field);
    return value === undefined || field.kind !== 'secret' ? [] : [[field.id, new Secret(value)] as const];
  });
  return {
    ...made,
    plan: { ...made.plan, form },
    given: { ...made.given, ...Object.fromEntries(secrets) },
  };
}

const CONFIG = 'config:';

/** Nested objects are `outer.inner`, as in the form. */
function valuesIn(config: Readonly<Record<string, unknown>>, prefix: string): readonly [string, string][] {
  return Object.entries(config).flatMap(([name, value]): readonly [string, string][] => {
    if (isObject(value)) return valuesIn(value, `${prefix}${name}.`);
    const text = scalar(value);
    return text === undefined || text === '' ? [] : [[prefix + name, text]];
  });
}
