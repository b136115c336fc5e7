import type { ApprovalOutcome } from './approval.ts';

type Allowed = Extract<ApprovalOutcome, { readonly kind: 'allowed' }>;

/** Outcomes that came out of the queue of approvals, and were not used yet. */
const answers = new WeakSet<Allowed>();

/** Said by the queue alone, when a person has allowed a call. */
export function vouchFor(outcome: Allowed): Allowed {
  answers.add(outcome);
  return outcome;
}

/** An answer is used once: the second time nobody has given it. */
export function hasAnswered(outcome: Allowed): boolean {
  return answers.delete(outcome);
}
