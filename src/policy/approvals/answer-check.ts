import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Answerer, Approval, ApprovalAnswer } from '../approval.ts';
import { isRequester } from '../decision.ts';

/** Throws why this answer does not count. The approval goes on waiting. */
export function checkAnswer(approval: Approval, answer: ApprovalAnswer, by: Answerer, limits: Limits): void {
  checkAnswerer(approval, by);
  if (answer.argsHash !== approval.argsHash) {
    throw refused(approval, 'This answer is for other arguments than the ones that wait.', {
      next: `Look at ${approval.id} again and answer what it shows now.`,
    });
  }
  checkParts(approval, answer, limits);
}

/** The model that asks would always say yes: only somebody else may answer, or the person themselves. */
export function checkAnswerer({ requester, id, server }: Approval, by: Answerer): void {
  if (requester.kind === 'person' || !isRequester(requester, by.id)) return;
  const who = requester.name ?? `this ${requester.kind}`;
  throw new PlugError('denied', `${who} asked for this call and cannot approve it itself.`, {
    owner: 'you',
    server,
    next: `A person answers it: plug approve ${id}`,
    details: { approval: id },
  });
}

/** Everything of an answer that needs no look at who gives it. */
export function checkParts(
  approval: Approval,
  answer: Omit<ApprovalAnswer, 'argsHash'>,
  limits: Limits,
): void {
  const { effect, args, remember, pattern, note } = answer;
  if (effect === 'deny' && (args !== undefined || remember !== undefined)) {
    throw refused(approval, 'A denial neither changes arguments nor is it remembered.');
  }
  if (effect === 'allow' && note !== undefined) {
    throw refused(approval, 'Only a denial carries a note to the model.');
  }
  if (note !== undefined && note.length > limits.approvalNoteCharsMax) {
    throw refused(approval, `A note has at most ${limits.approvalNoteCharsMax} characters.`);
  }
  if (remember !== undefined && !approval.offers.includes(remember)) throw notOffered(approval, remember);
  const named = Object.keys(pattern ?? {}).length;
  if ((remember === 'arguments') !== named > 0) {
    throw refused(approval, 'To remember by arguments, say which ones and what they look like.');
  }
  if (named > limits.approvalPatternFieldsMax) {
    throw refused(approval, `A pattern names at most ${limits.approvalPatternFieldsMax} arguments.`);
  }
}

function notOffered(approval: Approval, remember: string): PlugError {
  const choices = approval.offers.join(', ') || 'once';
  return refused(
    approval,
    `“${remember}” cannot be remembered for ${approval.server}/${approval.tool}; there is: ${choices}.`,
    { next: 'Allow it once, or choose another way to remember it.' },
  );
}

function refused(
  { id, server }: Approval,
  message: string,
  { next }: { readonly next?: string } = {},
): PlugError {
  return new PlugError('usage', message, {
    owner: 'you',
    server,
    ...(next === undefined ? {} : { next }),
    details: { approval: id },
  });
}
