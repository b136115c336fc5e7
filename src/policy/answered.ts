import type { ApprovalOutcome } from './approval.ts';

type Allowed = Extract<ApprovalOutcome, { readonly kind: 'allowed' }>;

/** Outcomes that came out of the queue of approvals, and were not used yet; each for one account. */
const answers = new WeakMap<Allowed, { readonly account: string | undefined }>();

/** Said by the queue alone, when a person has allowed a call as this account. */
export function vouchFor(outcome: Allowed, account: string | undefined): Allowed {
  answers.set(outcome, { account });
  return outcome;
}

/** An answer is used once, and for the account that it was given for. */
export function hasAnswered(outcome: Allowed, account: string | undefined): boolean {
  const answer = answers.get(outcome);
  return answers.delete(outcome) && answer?.account === account;
}
