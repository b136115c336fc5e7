import type { Json, JsonObject } from '../../base/json.ts';
import { textOrJson } from '../render/text.ts';
import { askYesNo, type Session } from '../session.ts';
import { stoppedBy } from './chat-terminal.ts';
import { fieldsOf, readField, type FormField } from './form-field.ts';
import { chatLimits } from './limits.ts';
import { FAILED, faint } from '../output.ts';

/** What the person did with a server's question, as the protocol says it. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** A server's form, a field at a time. Esc declines it; nothing is sent before the last yes. */
export async function askForm(server: string, params: JsonObject, session: Session): Promise<FormAnswer> {
  const { out } = session;
  // The hub has put the server's name in front of its words.
  out.quote(textOrJson(params['message']), { beside: true });
  out.note(faint('  Esc declines. Your answers go to this server.'));
  const fields = fieldsOf(params['requestedSchema']);
  if (fields.length > chatLimits.formFieldsMax) {
    out.note(FAILED, `It wants ${fields.length} answers; it was declined.`);
    return { action: 'decline' };
  }
  try {
    const content: Record<string, Json> = {};
    for (const field of fields) {
      const value = await askField(field, session);
      if (value !== undefined) content[field.name] = value;
    }
    const question = fields.length === 0 ? `Agree with ${server}?` : `Send it to ${server}?`;
    const preset = fields.length === 0 ? 'no' : 'yes';
    return (await askYesNo(session, question, preset))
      ? { action: 'accept', content }
      : { action: 'decline' };
  } catch (error) {
    if (stoppedBy(error) !== 'escape') throw error;
    out.note('Declined.');
    return { action: 'decline' };
  }
}

/** Undefined when it was left out. */
async function askField(field: FormField, session: Session): Promise<Json | undefined> {
  const { out, terminal, signal } = session;
  describe(field, session);
  const question = `  ${field.title}${hintOf(field)}: `;
  for (;;) {
    const typed = field.secret
      ? await terminal.askHidden(question, signal)
      : await terminal.ask(question, signal);
    if (typed.trim() === '') {
      if (field.preset !== undefined) return field.preset;
      if (!field.required) return undefined;
      out.note({ style: 'warn', text: '  It is needed. ' }, 'Esc declines the whole form.');
      continue;
    }
    const read = readField(field, typed);
    if ('value' in read) return read.value;
    out.note({ style: 'warn', text: `  ${read.problem}` });
  }
}

function describe({ description, secret, choices }: FormField, { out }: Session): void {
  if (description !== '') out.note(faint(`  ${description.slice(0, chatLimits.fieldTextChars)}`));
  if (secret)
    out.note(
      { style: 'warn', text: '  ⚠ ' },
      'This looks like a secret. A server should not ask for one here.',
    );
  choices.forEach(({ title }, index) => out.note(`    ${index + 1}  ${title}`));
}

function hintOf({ kind, required, preset, choices }: FormField): string {
  const hints = [
    ...(kind === 'yes-no' ? ['y or n'] : []),
    ...(kind === 'choice' ? [`1–${choices.length}`] : []),
    ...(kind === 'choices' ? ['such as 1,3'] : []),
    ...(required ? [] : ['optional']),
    ...(preset === undefined
      ? []
      : [`Enter for ${typeof preset === 'string' ? preset : JSON.stringify(preset)}`]),
  ];
  return hints.length === 0 ? '' : ` (${hints.join(', ')})`;
}
