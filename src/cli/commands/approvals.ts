import { PlugError, toPlugError } from '../../base/errors.ts';
import type { Approval, ApprovalAnswer, ApprovalOutcome, Hub } from '../../hub/hub.ts';
import { parseArgsObject } from '../arguments.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { parsePattern } from '../patterns.ts';
import { printApproval, requesterText } from '../render/approval.ts';
import { renderTable, type Cell } from '../render/table.ts';
import type { Session } from '../session.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';

/** `plug approvals`: the calls that wait for a person; with an id: the whole card. */
export async function approvals(
  hub: Hub,
  { id }: { readonly id: string | undefined },
  { out, clock }: Session,
): Promise<ExitCode> {
  if (id !== undefined) {
    const approval = await find(hub, id);
    out.document(approval);
    printApproval(approval, out);
    return exitCodes.ok;
  }
  const waiting = await hub.approvals.list();
  out.document({ approvals: waiting });
  if (out.json) return exitCodes.ok;
  if (waiting.length === 0) out.line('No call waits for an answer.');
  else {
    const columns = [
      { title: 'APPROVAL' },
      { title: 'TOOL' },
      { title: 'RISK' },
      { title: 'ASKED BY' },
      { title: 'LEFT' },
      { title: 'WHY', flexible: true },
    ];
    const rows = waiting.map((approval) => rowOf(approval, clock.now()));
    for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
    out.note({
      style: 'faint',
      text: 'plug approvals ID shows all of one; plug approve ID or plug deny ID answers it.',
    });
  }
  return exitCodes.ok;
}

function rowOf(approval: Approval, now: number): readonly Cell[] {
  const left = Math.max(0, Math.ceil((approval.expiresAt - now) / 1_000));
  return [
    { text: approval.id, style: 'strong' },
    { text: `${approval.server}/${approval.tool}` },
    { text: approval.risk, style: approval.risk === 'destructive' ? 'bad' : 'warn' },
    { text: requesterText(approval) },
    { text: left >= 60 ? `${Math.floor(left / 60)}m` : `${left}s` },
    { text: approval.decision.reason },
  ];
}

export interface AnswerArgs {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly remember?: ApprovalAnswer['remember'] | undefined;
  /** Other arguments, as a JSON object. */
  readonly args?: string | undefined;
  /** For `--remember arguments`: `path=glob` words. */
  readonly where?: readonly string[] | undefined;
  readonly note?: string | undefined;
  /** Everything that waits together with it gets the same answer. */
  readonly all: boolean;
}

/** `plug approve ID` and `plug deny ID`: shows what is answered, then answers it. */
export async function answer(hub: Hub, given: AnswerArgs, { out }: Session): Promise<ExitCode> {
  const approval = await find(hub, given.id);
  const { effect, remember, note } = given;
  const common = {
    effect,
    ...(remember === undefined ? {} : { remember }),
    ...patternOf(given),
    ...(note === undefined ? {} : { note }),
  };
  if (remember !== undefined && !approval.offers.includes(remember)) throw notOffered(approval, remember);
  if (given.all && given.args !== undefined) {
    throw new PlugError('usage', '--args and --all do not go together.', { owner: 'you' });
  }
  printApproval(approval, out);
  const args = given.args === undefined ? {} : { args: parseArgsObject(given.args, '--args') };
  const outcomes = given.all
    ? await hub.approvals.answerBatch(approval.batch, common)
    : [await hub.approvals.answer(approval.id, { ...common, ...args, argsHash: approval.argsHash })];
  out.document(given.all ? { outcomes } : { outcome: outcomes[0] });
  for (const outcome of outcomes) out.line({ style: 'good', text: '✔ ' }, outcomeText(outcome));
  return exitCodes.ok;
}

function patternOf({ remember, where = [] }: AnswerArgs): Pick<ApprovalAnswer, 'pattern'> {
  if ((remember === 'arguments') !== where.length > 0) {
    throw new PlugError('usage', '--remember arguments and --where path=glob go together.', {
      owner: 'you',
      next: "plug approve ID --remember arguments --where 'repo=acme/*'",
    });
  }
  return where.length > 0 ? { pattern: parsePattern(where) } : {};
}

function outcomeText(outcome: ApprovalOutcome): string {
  switch (outcome.kind) {
    case 'allowed':
      return outcome.edited ? 'Allowed, with the arguments that you gave.' : 'Allowed.';
    case 'denied':
      return outcome.note === undefined ? 'Denied.' : 'Denied, and told why.';
    case 'unanswered':
      return 'It was too late: unanswered is denied.';
    case 'withdrawn':
    default:
      return 'It is no longer wanted.';
  }
}

async function find(hub: Hub, id: string): Promise<Approval> {
  try {
    return await hub.approvals.get(id);
  } catch (error) {
    if (toPlugError(error).code !== 'not_found') throw error;
    const waiting = (await hub.approvals.list()).map((approval) => approval.id);
    const near = suggest(id, waiting);
    throw new PlugError('not_found', `No call waits as “${id}”. ${didYouMean(near)}`.trim(), {
      owner: 'you',
      next: 'plug approvals',
      details: { suggestions: near },
    });
  }
}

function notOffered({ id, offers }: Approval, remember: string): PlugError {
  const may = offers.filter((offer) => offer !== 'once');
  const instead = may.length > 0 ? `It may be remembered for: ${may.join(', ')}.` : 'It asks every time.';
  return new PlugError('denied', `This call cannot be allowed for “${remember}”. ${instead}`, {
    owner: 'you',
    next: `plug approve ${id}`,
  });
}
