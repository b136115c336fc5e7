import { defined } from '../../base/defined.ts';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import type { Approval, ApprovalAnswer, ApprovalOutcome, Hub } from '../../hub/hub.ts';
import { parseArgsObject } from '../arguments.ts';
import { unknownWord, usage, userError } from '../failures.ts';
import { parsePattern } from '../option-values.ts';
import { DONE, faint, strong, type Piece } from '../output.ts';
import { printApproval, requesterText } from '../render/approval.ts';
import { flexible, printTable } from '../render/table.ts';
import type { HubSession, Texts } from '../session.ts';

export async function approvals({ id }: Texts<'id'>, { hub, out, clock }: HubSession): Promise<void> {
  if (id !== undefined) {
    const approval = await find(hub, id);
    out.document(approval);
    printApproval(approval, out);
    return;
  }
  const waiting = await hub.approvals.list();
  if (out.document({ approvals: waiting })) return;
  const columns = ['APPROVAL', 'TOOL', 'RISK', 'ASKED BY', 'LEFT', flexible('WHY')];
  const rows = waiting.map((approval) => rowOf(approval, clock.now()));
  printTable(out, columns, rows, 'No pending approvals.');
  if (waiting.length > 0)
    out.note(faint('Show one: plug approvals ID. Answer it: plug approve ID, or plug deny ID.'));
}

function rowOf(approval: Approval, now: number): readonly Piece[] {
  const left = Math.max(0, Math.ceil((approval.expiresAt - now) / 1_000));
  return [
    strong(approval.id),
    `${approval.server}/${approval.tool}`,
    { text: approval.risk, style: approval.risk === 'destructive' ? 'bad' : 'warn' },
    requesterText(approval),
    left >= 60 ? `${Math.floor(left / 60)}m` : `${left}s`,
    approval.decision.reason,
  ];
}

export interface AnswerArgs {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly remember?: NonNullable<ApprovalAnswer['remember']>;
  readonly args?: string;
  readonly where?: readonly string[];
  readonly note?: string;
  readonly all?: boolean;
}

export async function answer(given: AnswerArgs, { hub, out }: HubSession): Promise<void> {
  const approval = await find(hub, given.id);
  const { effect, remember, note } = given;
  const common = defined({ effect, remember, pattern: patternOf(given), note });
  if (remember !== undefined && !approval.offers.includes(remember)) throw notOffered(approval, remember);
  if (given.all && given.args !== undefined) throw usage('--args and --all do not go together.');
  printApproval(approval, out);
  const args = given.args === undefined ? {} : { args: parseArgsObject(given.args, '--args') };
  const outcomes = given.all
    ? await hub.approvals.answerBatch({ batch: approval.batch, ...common })
    : [await hub.approvals.answer({ id: approval.id, ...common, ...args, argsHash: approval.argsHash })];
  out.document(given.all ? { outcomes } : { outcome: outcomes[0] });
  for (const outcome of outcomes) out.line(DONE, outcomeText(outcome));
}

function patternOf({ remember, where = [] }: AnswerArgs): ApprovalAnswer['pattern'] {
  if ((remember === 'arguments') !== where.length > 0) {
    const line = "plug approve ID --remember arguments --where 'repo=acme/*'";
    throw usage('--remember arguments and --where path=glob go together.', line);
  }
  return where.length > 0 ? parsePattern(where) : undefined;
}

function outcomeText(outcome: ApprovalOutcome): string {
  switch (outcome.kind) {
    case 'allowed':
      return outcome.edited ? 'Allowed with your arguments.' : 'Allowed.';
    case 'denied':
      return outcome.note === undefined ? 'Denied.' : 'Denied, with your note.';
    case 'unanswered':
      return 'Too late: the approval expired, so the call was denied.';
    case 'withdrawn':
    default:
      return 'The caller withdrew it.';
  }
}

async function find(hub: Hub, id: string): Promise<Approval> {
  try {
    return await hub.approvals.get({ id });
  } catch (error) {
    if (toPlugError(error).code !== 'not_found') throw error;
    const waiting = (await hub.approvals.list()).map((approval) => approval.id);
    const remedy = { do: 'show', what: 'approvals' } as const;
    throw unknownWord(`No call waits as “${id}”.`, { word: id, known: waiting, remedy });
  }
}

function notOffered({ id, offers }: Approval, remember: string): PlugError {
  const may = offers.filter((offer) => offer !== 'once').join(', ');
  const instead = may === '' ? 'It asks every time.' : `It may be remembered for: ${may}.`;
  return userError('denied', `This call cannot be allowed for “${remember}”. ${instead}`, {
    remedy: { do: 'approve', id },
  });
}
