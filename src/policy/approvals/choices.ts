import type { Approval, ApprovalAnswer } from '../approval.ts';

/** Answers that need only a click. */
const CHOICES = [
  { offer: 'once', words: 'Yes, this call' },
  { offer: 'session', words: 'Yes, until the hub stops' },
  { offer: 'tool', words: 'Yes, and always for this tool' },
  { offer: 'reads', words: 'Yes, and always for this server’s read-only tools' },
] as const;

export function choicesOf({ offers }: Approval): readonly (typeof CHOICES)[number][] {
  return CHOICES.filter(({ offer }) => offers.includes(offer));
}

/** Anything else is a denial. The note stays: the queue refuses an approval that carries one. */
export function answerWith(chosen: unknown, note: unknown, approval: Approval): ApprovalAnswer {
  const { argsHash } = approval;
  const choice = choicesOf(approval).find(({ offer }) => offer === chosen);
  const words = typeof note === 'string' ? note.trim().slice(0, NOTE_CHARS_MAX) : '';
  const said = words === '' ? {} : { note: words };
  if (!choice) return { effect: 'deny', argsHash, ...said };
  const { offer } = choice;
  return { effect: 'allow', argsHash, ...said, ...(offer === 'once' ? {} : { remember: offer }) };
}

export const NOTE_CHARS_MAX = 500;
