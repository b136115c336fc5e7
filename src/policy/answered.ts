import type { ApprovalOutcome } from './approval.ts';

type Allowed = Extract<ApprovalOutcome, { readonly kind: 'allowed' }>;

/** Unused outcomes of the approval queue, each for one account. */
const answers = new WeakMap<Allowed, { readonly account: string | undefined }>();

/** Only the queue calls this, when a person has allowed the call. */
export function vouchFor(outcome: Allowed, account: string | undefined): Allowed {
  answers.set(outcome, { account });
  return outcome;
}

/** An answer is used once, for its account only. */
export function hasAnswered(outcome: Allowed, account: string | undefined): boolean {
  const answer = answers.get(outcome);
  return answers.delete(outcome) && answer?.account === account;
}
