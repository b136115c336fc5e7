import type { Client } from '../client.ts';
import type { Core } from '../core.ts';
import { withoutDisk } from '../../policy/approvals/card.ts';
import { isRequester } from '../../policy/decision.ts';
import type { Approval, ApprovalsApi } from '../deciding.ts';

/** The queue as one client sees it: the hub says who answers, nobody says it of themselves. */
export function approvalsOf({ deciding: { approvals } }: Core, client: Client): ApprovalsApi {
  const by = { id: client.id, kind: client.kind };
  return {
    list: () => Promise.resolve(approvals.list().map((each) => shownTo(client, each))),
    get: (approval) => Promise.resolve().then(() => shownTo(client, approvals.get(approval))),
    answer: (approval, answer) => approvals.answer(approval, answer, by),
    answerBatch: (batch, answer) => Promise.resolve().then(() => approvals.answerBatch(batch, answer, by)),
  };
}

/** The program that asked sees its own question without the text of files that it may not have read. */
export function shownTo({ id }: Client, approval: Approval): Approval {
  const { requester } = approval;
  return requester.kind !== 'person' && isRequester(requester, id) ? withoutDisk(approval) : approval;
}
