import { PlugError } from '../../base/errors.ts';
import { fieldsOf, type FormField, type InstallPlan } from './plan.ts';

export type FieldValue = string | number | boolean | readonly string[];

export interface GivenValue {
  readonly field: FormField;
  readonly texts: readonly string[];
}

export function readValues(
  plan: InstallPlan,
  values: Readonly<Record<string, FieldValue>>,
): ReadonlyMap<string, GivenValue> {
  const unknown = Object.keys(values).find((id) => !plan.form.some((field) => field.id === id));
  if (unknown !== undefined) {
    throw new PlugError('usage', `“${plan.title}” does not ask for “${unknown.slice(0, 80)}”.`, {
      owner: 'you',
      details: { asked: plan.form.map(({ id }) => id) },
    });
  }
  const given = new Map<string, GivenValue>();
  const needed = neededFields(plan);
  for (const field of plan.form) {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    const texts = value === undefined ? [] : textsOf(value).filter((text) => text !== '');
    const preset = texts.length === 0 && needed.has(field.id) ? field.default : undefined;
    const all = preset === undefined ? texts : [preset];
    if (all.length === 0) continue;
    for (const text of all) checkText(field, text);
    given.set(field.id, { field, texts: all });
  }
  const missing = plan.form.filter(
    ({ id, instead = [] }) => needed.has(id) && ![id, ...instead].some((each) => given.has(each)),
  );
  if (missing.length > 0) {
    const [first] = missing;
    const titles = missing.map(({ title, label }) => title ?? label).join(', ');
    throw new PlugError('missing_input', `“${plan.title}” still needs ${titles}.`, {
      owner: 'you',
      remedy: first?.description ?? `Give a value for ${first?.title ?? first?.label}.`,
      details: { missing: missing.map(({ id }) => id) },
    });
  }
  return given;
}

/** Required fields of the target, and those in texts that can't be left out. */
function neededFields({ target, form }: InstallPlan): ReadonlySet<string> {
  const needed = new Set<string>();
  const required = new Set(form.filter((field) => field.required).map(({ id }) => id));
  const texts =
    target.kind === 'remote'
      ? [{ text: target.url, optional: false }, ...target.headers, ...target.query]
      : target.kind === 'command'
        ? [...target.args.map(({ text = [], optional }) => ({ text, optional })), ...target.env]
        : target.env;
  for (const { text, optional } of texts) {
    for (const id of fieldsOf(text)) if (!optional || required.has(id)) needed.add(id);
  }
  return needed;
}

function textsOf(value: FieldValue): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

function checkText(field: FormField, text: string): void {
  const problem = problemOf(field, text);
  if (problem === undefined) return;
  throw new PlugError('bad_arguments', `The value for ${field.label} cannot be used: ${problem}.`, {
    owner: 'you',
    details: { field: field.id, ...(field.choices ? { choices: field.choices } : {}) },
  });
}

/** The value isn't repeated: it may be a misplaced secret. */
function problemOf({ kind, choices = [], where }: FormField, text: string): string | undefined {
  if (text.includes('\0')) return 'it holds a NUL character';
  if (where === 'header' && /[\r\n]/.test(text)) return 'a header is one line';
  if (/\{env:/.test(text) && kind !== 'secret') return 'it would read a variable of this machine';
  if (kind === 'number' && !Number.isFinite(Number(text))) return 'it isn’t a number';
  if (kind === 'boolean' && !/^(true|false)$/.test(text)) return 'it is neither true nor false';
  if (kind === 'choice' && !choices.includes(text)) return `it is none of ${choices.join(', ')}`;
  return undefined;
}
