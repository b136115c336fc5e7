import { assert } from '../base/errors.ts';
import { CallPermit } from '../connections/permit.ts';
import type { ApprovalOutcome } from './approval.ts';
import { hasAnswered } from './answered.ts';
import { decide } from './decide.ts';
import { isAmong } from './approvals/answer-check.ts';
import { approversOf, type CallQuestion, type Decision } from './decision.ts';
import type { Grants } from './grants.ts';
import { MadeDecision } from './_made-decision.ts';
import type { PolicySnapshot } from './policy.ts';

export type { CallPermit } from '../connections/permit.ts';

/** For a lasting permission. Undefined when a one-time grant must be claimed by `permitFrom`. */
export function permitAtOnce(
  decision: Decision,
  question: CallQuestion,
  grants: Pick<Grants, 'lasts'>,
): CallPermit | undefined {
  assert(MadeDecision.allows(decision, question), 'a permit was asked for without a decision that allows');
  if (decision.by.kind === 'grant' && !grants.lasts(decision.by.id)) return undefined;
  return mint(question);
}

/** Uses up a one-time grant; undefined when a parallel call was faster: then decide again. */
export async function permitFrom(
  decision: Decision,
  question: CallQuestion,
  grants: Pick<Grants, 'claim'>,
): Promise<CallPermit | undefined> {
  assert(MadeDecision.allows(decision, question), 'a permit was asked for without a decision that allows');
  if (decision.by.kind === 'grant' && !(await grants.claim(decision.by.id))) return undefined;
  return mint(question);
}

export type Approved =
  | { readonly kind: 'permit'; readonly permit: CallPermit }
  /** Denied meanwhile, or for the edited arguments. */
  | { readonly kind: 'denied'; readonly decision: Decision };

/**
 * Decides again for the final arguments: an approval precedes asking rules, never denying ones, and of those
 * that ask others only what they have answered themselves.
 */
export function permitFromApproval(
  outcome: Extract<ApprovalOutcome, { readonly kind: 'allowed' }>,
  question: CallQuestion,
  policy: PolicySnapshot,
): Approved {
  assert(
    hasAnswered(outcome, question.account?.id),
    'a permit was asked for with an answer that nobody gave for this account',
  );
  assert(question.args === outcome.args, 'a permit was asked for with other arguments than were approved');
  const decision = decide(question, policy);
  const approvers = approversOf(decision);
  const isOthers = approvers !== undefined && !isAmong(approvers, outcome.by.approver);
  return decision.effect === 'deny' || isOthers
    ? { kind: 'denied', decision }
    : { kind: 'permit', permit: mint(question) };
}

function mint({ tool, args, account }: CallQuestion): CallPermit {
  return CallPermit.mint(tool.name, args, account?.id);
}
