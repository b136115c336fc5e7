import { secretReference } from '../base/secret-reference.ts';
import type { FormField } from '../servers/plans/plan.ts';
import { pickOne } from './choose.ts';
import { faint } from './output.ts';
import type { Session } from './session.ts';

/** The name that people know it by; what the server calls it stands in `--json`. */
export function titleOf({ title, label }: Pick<FormField, 'title' | 'label'>): string {
  return title ?? label;
}

/** One field of a plan. Empty if nothing was given. */
export async function askField(field: FormField, session: Session): Promise<string> {
  const { description, choices, kind, many, placeholder } = field;
  const { terminal, out, signal } = session;
  if (description !== undefined) out.note(faint(`  ${description}`));
  const hint = choices ? ` (${choices.join(', ')})` : many ? ' (several with commas)' : (HINTS[kind] ?? '');
  const like = placeholder === undefined ? '' : ` (such as ${placeholder})`;
  const question = `${titleOf(field)}${hint}${like}: `;
  if (kind !== 'secret') return (await terminal.ask(question, signal)).trim();
  const typed = (await terminal.askHidden(question, signal)).trim();
  return typed === '?' ? await askElsewhere(field, session) : typed;
}

const HINTS: Partial<Record<FormField['kind'], string>> = {
  secret: ' (typed unseen; ? for a key file, 1Password or another password manager)',
  folder: ' (a folder)',
  file: ' (a file)',
};

const PLACES = [
  ['file', 'A file that holds it', 'Path of the file: '],
  ['1password', '1Password', 'Its reference, such as op://Private/GitHub/token: '],
  ['command', 'Another password manager', 'The command that prints it, such as pass show github: '],
] as const;

/** Where the key is kept is remembered, and not the key. */
async function askElsewhere(field: FormField, session: Session): Promise<string> {
  const labels = PLACES.map(([, label]) => label);
  const picked = await pickOne(session, labels, `Where is ${titleOf(field)} kept?`);
  const place = picked === undefined ? undefined : PLACES[picked];
  if (!place) return '';
  const at = (await session.terminal.ask(place[2], session.signal)).trim();
  return at === '' ? '' : secretReference(place[0], at);
}
