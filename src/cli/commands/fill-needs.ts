import { resolve } from 'node:path';
import type { PlugError } from '../../base/errors.ts';
import type { OfferedPlan } from '../../hub/plans.ts';
import type { FormField } from '../../servers/plans/plan.ts';
import { askField, titleOf } from '../ask-field.ts';
import { usage, userError } from '../failures.ts';
import { faint } from '../output.ts';
import type { Session } from '../session.ts';
import { nextAddLine } from './next-add.ts';
import { splitAt } from './pair.ts';

export interface TypedValues {
  readonly argv: readonly string[];
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly pairs: readonly string[];
  readonly paths?: readonly string[];
}

export interface Filled {
  readonly values: Record<string, string | readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values for the form of a plan: first those typed, then those asked for. */
export async function fillNeeds(
  offer: OfferedPlan,
  typed: TypedValues,
  session: Session,
  before?: Filled,
): Promise<Filled> {
  const sorted = sortTyped(offer, typed);
  const paths = pathValues(offer, typed.paths ?? [], session.cwd);
  const filled = { ...sorted, values: { ...before?.values, ...paths, ...sorted.values } };
  const { values } = filled;
  const { form } = offer.view;
  const open = form.filter(
    ({ id, instead = [] }) =>
      offer.needs.includes(id) && ![id, ...instead].some((each) => Object.hasOwn(values, each)),
  );
  if (open.length > 0 && !session.terminal.interactive) throw missing(offer, open, typed);
  for (const field of open) {
    const others = (field.instead ?? []).flatMap((id) => form.find((each) => each.id === id) ?? []);
    const answered = await askAny([field, ...others], session);
    if (!answered) throw missing(offer, [field], typed);
    const { field: chosen, text } = answered;
    values[chosen.id] = chosen.many ? listIn(text) : text;
  }
  return filled;
}

/** The first that gets an answer: one of them is enough. */
async function askAny(
  fields: readonly FormField[],
  session: Session,
): Promise<{ readonly field: FormField; readonly text: string } | undefined> {
  for (const [index, field] of fields.entries()) {
    const next = fields[index + 1];
    if (next) session.out.note(faint(`  Or press Enter to give ${titleOf(next)} instead.`));
    const text = await askField(field, session);
    if (text !== '') return { field, text };
  }
  return undefined;
}

function listIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Paths without a name are for the one field that takes some. */
function pathValues(
  { view: { form, title } }: OfferedPlan,
  paths: readonly string[],
  cwd: string,
): Filled['values'] {
  const [first] = paths;
  if (first === undefined) return {};
  const field = form.find(({ kind }) => PATH_KINDS.has(kind));
  if (!field) throw usage(`“${title}” does not ask for a folder or a file.`);
  if (paths.length > 1 && !field.many)
    throw usage(`“${title}” asks for one ${titleOf(field)}, not ${paths.length}.`);
  const given = paths.map((path) => (path.startsWith('~') ? path : resolve(cwd, path)));
  return { [field.id]: field.many ? given : resolve(cwd, first) };
}

const PATH_KINDS: ReadonlySet<FormField['kind']> = new Set(['folder', 'folders', 'file', 'files']);

function sortTyped({ view: { form, title, url } }: OfferedPlan, typed: TypedValues): Filled {
  const values: Record<string, string | readonly string[]> = {};
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const fieldFor = (key: string, where?: FormField['where']): FormField | undefined =>
    form.find((field) => field.id === key || (field.label === key && (!where || field.where === where))) ??
    form.find((field) =>
      [field.label, titleOf(field)].some((name) => name.toLowerCase() === key.toLowerCase()),
    );
  for (const [key, value] of typed.env.map((pair) => splitAt(pair, '=', 'Write --env K=V.'))) {
    const field = fieldFor(key, 'env');
    if (field) values[field.id] = value;
    else env[key] = value;
  }
  for (const [key, value] of typed.header.map((pair) => splitAt(pair, ':', "Write --header 'K: V'."))) {
    const field = fieldFor(key, 'header');
    if (field) values[field.id] = value;
    else headers[key] = value;
  }
  for (const [key, value] of typed.pairs.map((pair) => splitAt(pair, '=', 'Write NEED=value.'))) {
    const field = fieldFor(key);
    if (field) values[field.id] = field.many ? [values[field.id] ?? [], listIn(value)].flat() : value;
    // A server that is not in any list says what it needs only when it is tried.
    else if (url === undefined && /^[A-Z][A-Z0-9_]*$/.test(key)) env[key] = value;
    else if (url !== undefined && /^(?:authorization|[\w-]*(?:key|token))$/i.test(key)) headers[key] = value;
    else {
      const asks = form.map(({ label }) => label).join(', ') || 'nothing';
      throw usage(`“${title}” does not ask for “${key}”. It asks for ${asks}.`);
    }
  }
  return { values, env, headers };
}

function missing(
  { view }: OfferedPlan,
  open: readonly FormField[],
  { argv }: Pick<TypedValues, 'argv'>,
): PlugError {
  const named = (ids: readonly string[]): readonly FormField[] =>
    view.form.filter(({ id }) => ids.includes(id));
  const titles = open.map((field) => [field, ...named(field.instead ?? [])].map(titleOf).join(' or '));
  return userError('missing_input', `“${view.title}” still needs ${titles.join(', ')}. Nothing was saved.`, {
    remedy: { do: 'type', line: nextAddLine(argv, open, view.form) },
    details: {
      missing: open.map(({ id, label, title, kind }) => ({ id, label, title, secret: kind === 'secret' })),
    },
  });
}
