import type { RegistryArgument } from '../registry/entry.ts';
import type { Form } from './form.ts';
import type { InstallPlan, PlanArgument, PlanText } from './plan.ts';

export function planArguments(given: readonly RegistryArgument[], form: Form): readonly PlanArgument[] {
  return given.flatMap((argument, index) => {
    if (argument.format === 'boolean' && argument.value === 'false') return [];
    return [argument.kind === 'named' ? named(argument, form) : positional(argument, form, index)];
  });
}

function positional(argument: RegistryArgument, form: Form, index: number): PlanArgument {
  const label = argument.hint ?? `argument ${index + 1}`;
  const text = form.input(argument, {
    id: `arg:${label}`,
    label,
    where: 'argument',
    many: argument.repeated,
  });
  return { text, style: 'separate', optional: form.optional(text) };
}

export function literalArgument(text: string): PlanArgument {
  return { text: [text], style: 'separate', optional: false };
}

export function literalOf(text: PlanText | undefined): string | undefined {
  const literals = (text ?? []).filter((part) => typeof part === 'string');
  return text === undefined || literals.length < text.length ? undefined : literals.join('');
}

/** Some programs want `--flag value` where the schema says `--flag=value`, or the reverse. */
export function flipArguments(plan: InstallPlan, style: PlanArgument['style']): InstallPlan {
  const { target } = plan;
  if (target.kind !== 'command') return plan;
  const args = target.args.map((arg) => (arg.flag?.startsWith('--') && arg.text ? { ...arg, style } : arg));
  return { ...plan, target: { ...target, args } };
}

function named(argument: RegistryArgument, form: Form): PlanArgument {
  const given = argument.name ?? '';
  // Some documents leave out the dashes.
  const flag = given.startsWith('-') ? given : `--${given}`;
  const style = flag.startsWith('--') ? 'equals' : 'separate';
  if (argument.format === 'boolean') {
    if (argument.value !== undefined) return { flag, style, optional: false };
    const text = form.input(argument, { id: `arg:${flag}`, label: flag, where: 'argument' });
    return { flag, style, text, optional: true };
  }
  if (standsAlone(argument)) return { flag, style, optional: false };
  const text = form.input(argument, {
    id: `arg:${flag}`,
    label: flag,
    where: 'argument',
    many: argument.repeated,
  });
  return { flag, style, text, optional: form.optional(text) };
}

/** `--mcp` without any word about a value is a switch. */
function standsAlone(argument: RegistryArgument): boolean {
  const { value, default: preset, choices, hint, description, secret, repeated, required } = argument;
  const said = [value, preset, choices, hint, description, secret].some((each) => each !== undefined);
  return !said && !repeated && !required && argument.format === 'string';
}
