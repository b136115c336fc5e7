import { assert } from '../base/errors.ts';
import { CallPermit } from '../connections/permit.ts';
import type { ApprovalOutcome } from './approval.ts';
import { hasAnswered } from './answered.ts';
import { decide } from './decide.ts';
import type { CallQuestion, Decision } from './decision.ts';
import type { Grants } from './grants.ts';
import { MadeDecision } from './_made-decision.ts';
import type { PolicySnapshot } from './policy.ts';

export type { CallPermit } from '../connections/permit.ts';

/**
 * For a call that `decide` allowed by something that lasts, which is nearly every one: nothing is
 * used up, and nobody waits. Undefined when a grant for once has to be claimed: see `permitFrom`.
 */
export function permitAtOnce(
  decision: Decision,
  question: CallQuestion,
  grants: Pick<Grants, 'lasts'>,
): CallPermit | undefined {
  assert(MadeDecision.allows(decision, question), 'a permit was asked for without a decision that allows');
  if (decision.by.kind === 'grant' && !grants.lasts(decision.by.id)) return undefined;
  return mint(question);
}

/**
 * For a call that `decide` allowed. A grant for once is used up here: undefined when a parallel
 * call was faster, and then it has to be decided anew.
 */
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
  /** It is denied meanwhile, or with the arguments as they were edited. */
  | { readonly kind: 'denied'; readonly decision: Decision };

/**
 * For a call that a person allowed. `question` is asked again with the arguments that they saw or
 * wrote, as the tool and the rules are now: an answer goes before a rule that asks, never before one
 * that denies.
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
  return decision.effect === 'deny'
    ? { kind: 'denied', decision }
    : { kind: 'permit', permit: mint(question) };
}

function mint({ tool, args, account }: CallQuestion): CallPermit {
  return CallPermit.mint(tool.name, args, account?.id);
}
