import { defined } from '../../base/defined.ts';
import type { Remedy } from '../../base/remedy.ts';
import { commandOf } from '../../base/remedy-command.ts';
import { PlugError } from '../../base/errors.ts';
import type { Risk } from '../../catalog/risk.ts';
import { hashArguments } from '../args-hash.ts';
import { nameOfApprovers } from '../rules/rule.ts';
import {
  approversOf,
  type Approvers,
  type AskedAccount,
  type CallQuestion,
  type Decision,
} from '../decision.ts';
import { shownLine } from './shown.ts';
import { withoutName } from '../reasons.ts';
import { exactShellWord } from '../../base/shell-words.ts';
import type { Approval, ApprovalOutcome } from '../approval.ts';

/** The error when an approval is needed and nobody can be asked, with the command that grants it. */
export function approvalRequired(question: CallQuestion, decision: Decision): PlugError {
  const { server, tool, args, account } = question;
  const approvers = approversOf(decision);
  if (approvers !== undefined) return othersRequired(question, decision, approvers);
  const ref = `${server.id}/${tool.name}`;
  const argsHash = hashArguments(args);
  const grant = grantRemedy({ ref, risk: tool.risk, flags: tool.flags, argsHash, decision, account });
  const trust =
    tool.risk === 'read' && server.trust === 'none'
      ? ({ do: 'trust', server: server.id } as const)
      : undefined;
  const or =
    trust === undefined || grant === undefined
      ? ''
      : ` To run read-only tools of ${server.id} without asking: ${commandOf(trust)}`;
  return new PlugError(
    'approval_required',
    `${shownLine(ref)} needs approval. ${shownLine(withoutName(question, decision))}${or}`,
    {
      owner: 'you',
      server: server.id,
      remedy: grant ??
        trust ?? { do: 'say', text: 'Call it from a terminal, the page or a host that can ask.' },
      details: {
        tool: tool.name,
        server: server.id,
        risk: tool.risk,
        argsHash,
        decision,
        ...(grant === undefined ? {} : { grant: commandOf(grant) }),
        ...(trust === undefined ? {} : { trust: commandOf(trust) }),
      },
    },
  );
}

/** Nothing that the person grants themselves would help. */
function othersRequired(
  { server, tool, args }: CallQuestion,
  decision: Decision,
  approvers: Approvers,
): PlugError {
  const message = `${shownLine(`${server.id}/${tool.name}`)} needs approval. ${shownLine(decision.reason)}`;
  const text = `Call it so that it waits for the approval ("approval": "wait"), and tell ${shownLine(nameOfApprovers(approvers))}.`;
  return new PlugError('approval_required', message, {
    owner: 'you',
    server: server.id,
    remedy: { do: 'say', text },
    details: {
      tool: tool.name,
      server: server.id,
      risk: tool.risk,
      argsHash: hashArguments(args),
      decision,
      approvers,
    },
  });
}

interface UngrantedCall {
  readonly ref: string;
  readonly risk: Risk;
  readonly flags: readonly unknown[];
  readonly argsHash: string;
  readonly decision: Decision;
  readonly account?: AskedAccount | undefined;
}

/** The smallest grant that lets this call run; undefined for a name that can't be typed. */
export function grantRemedy(call: UngrantedCall): Remedy | undefined {
  const { ref, risk, flags, argsHash, decision, account } = call;
  if (exactShellWord(ref) === undefined) return undefined;
  const { by, offers } = decision;
  // The default account need not be named.
  const as = account === undefined || account.isDefault ? {} : { account: account.name };
  // A data rule is answered only for these arguments.
  if (by.kind === 'data_rule') return { do: 'grant', tool: ref, once: true, argsHash, ...as };
  const lasts = risk !== 'destructive' && flags.length === 0 && offers.includes('tool');
  return { do: 'grant', tool: ref, ...(lasts ? {} : { once: true }), ...as };
}

export function refusalOf(
  {
    id,
    server,
    tool,
    decision,
  }: Pick<Approval, 'id' | 'server' | 'tool'> & Partial<Pick<Approval, 'decision'>>,
  outcome: Exclude<ApprovalOutcome, { kind: 'allowed' }>,
): PlugError {
  const ref = `${server}/${tool}`;
  const details = { approval: id, outcome: outcome.kind, tool: ref };
  if (outcome.kind === 'unanswered') {
    const approvers = decision && approversOf(decision);
    const remedy =
      approvers === undefined
        ? 'Call it again to be asked again.'
        : `Tell ${nameOfApprovers(approvers)}, and call it again.`;
    return new PlugError('denied', `${ref} was not approved in time, so it did not run.`, {
      owner: 'you',
      server,
      remedy,
      details: { ...details, resumable: true },
    });
  }
  if (outcome.kind === 'withdrawn') {
    const message = `The call of ${ref} was withdrawn before it was answered.`;
    return new PlugError('cancelled', message, { owner: 'you', server, details });
  }
  const { note } = outcome;
  const said = note === undefined ? '' : ` Reason: ${note}`;
  const told = { ...details, ...defined({ note }) };
  return new PlugError('denied', `${ref} was denied.${said}`, { owner: 'you', server, details: told });
}
