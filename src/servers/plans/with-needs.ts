import { programOf } from '../paste/commands/run-command.ts';
import { detectAuth } from './auth.ts';
import { isSecretValue, titleOfValue, type NeededInput, type NeededValue } from './needs.ts';
import type { FormField, InstallPlan, PlanArgument, PlanCommand, PlanTarget, PlanValue } from './plan.ts';
import { namesFolder } from './secret-fields.ts';

/** The same plan with a field for everything that its server asked for and nobody gave. */
export function withNeeds(plan: InstallPlan, needs: readonly NeededInput[]): InstallPlan {
  const known = new Set(plan.form.map(({ id }) => id));
  const inputs = needs.filter(({ oneOf }) => !oneOf.some((value) => known.has(idOf(value))));
  const target = inputs.flatMap(({ oneOf }) => oneOf).reduce(withValue, plan.target);
  // What was optional and turned out to be needed is asked for now.
  const asked = new Set(needs.flatMap(({ oneOf }) => oneOf.slice(0, 1)).map(idOf));
  const before = plan.form.map((field) => (asked.has(field.id) ? { ...field, required: true } : field));
  const form = [...before, ...inputs.flatMap(fieldsOf)];
  return { ...plan, target, form, auth: detectAuth(form, target.kind === 'remote' ? 'remote' : 'local') };
}

/** The first is asked for; each of the others is as good. */
function fieldsOf({ oneOf }: NeededInput): readonly FormField[] {
  const [first, ...others] = oneOf;
  if (!first) return [];
  const instead = others.map(idOf);
  const required = fieldOf(first, true);
  return [
    instead.length > 0 ? { ...required, instead } : required,
    ...others.map((value) => fieldOf(value, false)),
  ];
}

function fieldOf(value: NeededValue, required: boolean): FormField {
  const { where, name } = value;
  const kind = isSecretValue(value) ? 'secret' : namesFolder(name) ? 'folder' : 'text';
  return { id: idOf(value), label: name, title: titleOfValue(value), kind, where, required };
}

function idOf({ where, name }: NeededValue): string {
  return `${where === 'argument' ? 'arg' : where}:${name}`;
}

function withValue(target: PlanTarget, value: NeededValue): PlanTarget {
  const text = [{ field: idOf(value) }];
  const named: PlanValue = { name: value.name, text, optional: true };
  if (target.kind === 'remote')
    return value.where === 'header' ? { ...target, headers: [...target.headers, named] } : target;
  if (value.where === 'env') {
    const passed = target.kind === 'command' ? passedOn(target, value.name) : target;
    return { ...passed, env: [...passed.env, named] };
  }
  if (target.kind !== 'command') return target;
  const flag = value.name.startsWith('-') ? { flag: value.name } : {};
  return { ...target, args: [...target.args, { ...flag, text, style: 'equals', optional: true }] };
}

/** A container sees only the variables that its command names. */
function passedOn(target: PlanCommand, name: string): PlanCommand {
  const at = target.args.findIndex(({ text }) => text?.length === 1 && text[0] === 'run');
  if (!/^(?:docker|podman|nerdctl)$/.test(programOf(target.command)) || at < 0) return target;
  const passed: PlanArgument = {
    flag: '-e',
    text: [name],
    style: 'separate',
    optional: false,
    whenEnv: name,
  };
  return { ...target, args: target.args.toSpliced(at + 1, 0, passed) };
}
