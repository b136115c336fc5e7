import type { PlugError } from '../base/errors.ts';
import type { OfferedPlan } from '../hub/plans.ts';
import type { FormField } from '../servers/plans/plan.ts';
import { usage, userError } from './failures.ts';
import { faint } from './output.ts';
import type { Session } from './session.ts';

export interface TypedValues {
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly pairs: readonly string[];
}

export interface Filled {
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values for the form of a plan: first what was typed, then what has to be asked. */
export async function fillNeeds(offer: OfferedPlan, typed: TypedValues, session: Session): Promise<Filled> {
  const { values, env, headers } = sortTyped(offer, typed);
  const open = offer.view.form.filter(({ id }) => offer.needs.includes(id) && !Object.hasOwn(values, id));
  if (open.length === 0) return { values, env, headers };
  if (!session.terminal.interactive) throw missing(offer, open);
  for (const field of open) {
    const answer = await ask(field, session);
    if (answer === '') throw missing(offer, [field]);
    values[field.id] = field.many ? answer.split(',').map((part) => part.trim()) : answer;
  }
  return { values, env, headers };
}

function sortTyped(
  { view: { form, title } }: OfferedPlan,
  typed: TypedValues,
): {
  values: Record<string, string | readonly string[]>;
  env: Record<string, string>;
  headers: Record<string, string>;
} {
  const values: Record<string, string> = {};
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const fieldFor = (key: string, where?: FormField['where']): FormField | undefined =>
    form.find((field) => field.id === key || (field.label === key && (!where || field.where === where))) ??
    form.find((field) => field.label.toLowerCase() === key.toLowerCase());
  for (const [key, value] of typed.env.map((pair) => split(pair, '=', '--env K=V'))) {
    const field = fieldFor(key, 'env');
    if (field) values[field.id] = value;
    else env[key] = value;
  }
  for (const [key, value] of typed.header.map((pair) => split(pair, ':', "--header 'K: V'"))) {
    const field = fieldFor(key, 'header');
    if (field) values[field.id] = value.trim();
    else headers[key] = value.trim();
  }
  for (const [key, value] of typed.pairs.map((pair) => split(pair, '=', 'NEED=value'))) {
    const field = fieldFor(key);
    if (!field) {
      const asks =
        form.length === 0
          ? 'It asks for nothing.'
          : `It asks for ${form.map(({ label }) => label).join(', ')}.`;
      throw usage(`“${title}” does not ask for “${key}”. ${asks}`);
    }
    values[field.id] = value;
  }
  return { values, env, headers };
}

/** The pair itself is not repeated: it may be a secret that was typed at the wrong place. */
function split(pair: string, separator: string, shape: string): readonly [string, string] {
  const at = pair.indexOf(separator);
  if (at < 1) throw usage(`Write ${shape}.`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1)];
}

async function ask(field: FormField, { terminal, out, signal }: Session): Promise<string> {
  const { label, description, choices, kind, many, placeholder } = field;
  if (description !== undefined) out.note(faint(`  ${description}`));
  const hint = choices ? ` (${choices.join(', ')})` : many ? ' (several with commas)' : '';
  const like = placeholder === undefined ? '' : ` (such as ${placeholder})`;
  const question = `${label}${hint}${like}: `;
  if (kind === 'secret') return (await terminal.askHidden(question, signal)).trim();
  return (await terminal.ask(question, signal)).trim();
}

function missing({ view }: OfferedPlan, open: readonly FormField[]): PlugError {
  const labels = open.map(({ label }) => label);
  const example = labels.map((label) => (/\s/.test(label) ? `'${label}=…'` : `${label}=…`)).join(' ');
  return userError('missing_input', `“${view.title}” still needs ${labels.join(', ')}. Nothing was saved.`, {
    remedy: `Run it again with ${example}, or on a terminal, where a secret is typed unseen.`,
    details: { missing: open.map(({ id, label, kind }) => ({ id, label, secret: kind === 'secret' })) },
  });
}
