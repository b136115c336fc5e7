import { toPlugError } from '../base/errors.ts';
import type { Approval, ApprovalAnswer, Hub } from '../hub/hub.ts';
import { parseArgsObject } from './arguments.ts';
import { parsePattern } from './patterns.ts';
import { renderApproval } from './render/approval.ts';
import { renderError } from './render/error.ts';
import type { Session } from './session.ts';
import { faint, strong } from './output.ts';

/** What the person did with the card: answered it, or stopped the call. */
export type CardOutcome = 'answered' | 'stopped';

interface Choice {
  readonly key: string;
  readonly offer?: Approval['offers'][number];
  readonly words: string;
}

const CHOICES: readonly Choice[] = [
  { key: 'y', offer: 'once', words: 'yes, once' },
  { key: 's', offer: 'session', words: 'yes, until the hub stops' },
  { key: 't', offer: 'tool', words: 'yes, this tool always' },
  { key: 'r', offer: 'reads', words: 'yes, all reads of this server' },
  { key: 'a', offer: 'arguments', words: 'yes, arguments like these always' },
  { key: 'e', words: 'edit the arguments' },
  { key: 'n', words: 'no' },
];

/** Shows the card and asks until there is an answer that the hub takes. Enter alone is a no. */
export async function askApproval(
  hub: Hub,
  approval: Approval,
  session: Session,
  signal: AbortSignal,
): Promise<CardOutcome> {
  const { out, terminal, clock } = session;
  renderApproval(approval, out);
  const choices = CHOICES.filter(({ offer }) => offer === undefined || approval.offers.includes(offer));
  for (const { key, words } of choices) out.note(strong(`  ${key} `), words);
  out.note(faint('  Esc stops it.'));
  const question = `Allow it? [${choices.map(({ key }) => (key === 'n' ? 'N' : key)).join('/')}] `;
  for (;;) {
    const key = await terminal.askKey(question, { clock, signal });
    if (key === 'escape' || key === 'interrupt') return 'stopped';
    const chosen = choices.find((choice) => choice.key === (key === 'enter' ? 'n' : key));
    if (!chosen) continue;
    try {
      const answer = await answerOf(chosen, approval, session, signal);
      if (!answer) continue;
      await hub.approvals.answer({ id: approval.id, ...answer });
      return 'answered';
    } catch (error) {
      signal.throwIfAborted();
      const failure = toPlugError(error);
      renderError(failure.toView(), out);
      // Arguments can be typed anew; whatever else it is, asking again would not help.
      if (failure.code !== 'bad_arguments' && failure.code !== 'usage') return 'answered';
    }
  }
}

/** Undefined when the person thought better of it. */
async function answerOf(
  { key, offer }: Choice,
  approval: Approval,
  { terminal }: Session,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const { argsHash } = approval;
  if (key === 'n') {
    const asksModel = approval.requester.kind !== 'person';
    const note = asksModel ? (await terminal.ask('Why not? Whoever asks is told: ', signal)).trim() : '';
    return { effect: 'deny', argsHash, ...(note === '' ? {} : { note }) };
  }
  if (key === 'e') {
    const typed = await terminal.ask('Arguments: ', signal, JSON.stringify(approval.args));
    if (typed.trim() === '') return undefined;
    return { effect: 'allow', argsHash, args: parseArgsObject(typed, 'arguments') };
  }
  if (offer === 'arguments') {
    const typed = await terminal.ask('Which arguments, such as repo=acme/*: ', signal);
    if (typed.trim() === '') return undefined;
    const pattern = parsePattern(typed.trim().startsWith('{') ? [typed] : typed.trim().split(/\s+/));
    return { effect: 'allow', argsHash, remember: 'arguments', pattern };
  }
  return {
    effect: 'allow',
    argsHash,
    ...(offer === undefined || offer === 'once' ? {} : { remember: offer }),
  };
}
