import { PlugError } from '../../base/errors.ts';
import type { Risk } from '../../catalog/risk.ts';
import { hashArguments } from '../args-hash.ts';
import type { CallQuestion, Decision } from '../decision.ts';
import { shownLine } from './shown.ts';
import { shellWord } from './shell-word.ts';

/**
 * What a call ends with when it needs a person and there is none to ask: everything a person or a
 * script needs to let it run, with the command as it can be typed.
 */
export function approvalRequired(question: CallQuestion, decision: Decision): PlugError {
  const { server, tool, args } = question;
  const ref = `${server.id}/${tool.name}`;
  const argsHash = hashArguments(args);
  const grant = grantCommand({ ref, risk: tool.risk, flags: tool.flags, argsHash, decision });
  const trust = tool.risk === 'read' && server.trust === 'none' ? `plug trust ${server.id}` : undefined;
  const or =
    trust === undefined || grant === undefined || decision.reason.includes(trust)
      ? ''
      : ` To let ${server.id} read without asking: ${trust}`;
  return new PlugError(
    'approval_required',
    `${shownLine(ref)} needs an approval. ${shownLine(decision.reason)}${or}`,
    {
      owner: 'you',
      server: server.id,
      next: grant ?? trust ?? 'Make the call where a person can answer it.',
      details: {
        tool: tool.name,
        server: server.id,
        risk: tool.risk,
        argsHash,
        decision,
        ...(grant === undefined ? {} : { grant }),
        ...(trust === undefined ? {} : { trust }),
      },
    },
  );
}

interface UngrantedCall {
  /** `server/tool`. */
  readonly ref: string;
  readonly risk: Risk;
  readonly flags: readonly unknown[];
  readonly argsHash: string;
  readonly decision: Decision;
}

/**
 * The least that lets this call run: for once where nothing more may be remembered. Undefined for a
 * name that cannot be typed.
 */
export function grantCommand({ ref, risk, flags, argsHash, decision }: UngrantedCall): string | undefined {
  const word = shellWord(ref);
  if (word === undefined) return undefined;
  const { by, offers } = decision;
  // A rule about data is answered for this very data: no other grant goes before it.
  if (by.kind === 'data_rule') return `plug grants add ${word} --once --args-hash ${argsHash}`;
  const lasts = risk !== 'destructive' && flags.length === 0 && offers.includes('tool');
  return `plug grants add ${word}${lasts ? '' : ' --once'}`;
}
