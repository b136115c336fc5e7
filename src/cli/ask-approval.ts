import { toPlugError } from '../base/errors.ts';
import type { Approval, ApprovalAnswer, CallOptions, CallRequest, CallResult, Hub } from '../hub/hub.ts';
import { parseArgsObject } from './arguments.ts';
import { cancelled } from './failures.ts';
import { faint, strong } from './output.ts';
import { parsePattern } from './option-values.ts';
import { renderApproval } from './render/approval.ts';
import { renderError } from './render/error.ts';
import type { HubSession, Session } from './session.ts';

type CardOutcome = 'answered' | 'stopped';

interface Choice {
  readonly key: string;
  readonly offer?: Approval['offers'][number];
  readonly words: string;
}

const CHOICES: readonly Choice[] = [
  { key: 'y', offer: 'once', words: 'yes, once' },
  { key: 's', offer: 'session', words: 'yes, until the hub stops' },
  { key: 't', offer: 'tool', words: 'yes, always for this tool' },
  { key: 'r', offer: 'reads', words: 'yes, all read-only tools of this server' },
  { key: 'a', offer: 'arguments', words: 'yes, always with arguments like these' },
  { key: 'e', words: 'edit the arguments' },
  { key: 'n', words: 'no' },
];

/** Shows the card and asks until there is an answer that the hub takes. Enter alone is a no. */
export async function askApproval(
  approval: Approval,
  session: HubSession,
  signal: AbortSignal,
): Promise<CardOutcome> {
  const { hub, out, terminal, clock } = session;
  renderApproval(approval, out);
  const choices = CHOICES.filter(({ offer }) => offer === undefined || approval.offers.includes(offer));
  for (const { key, words } of choices) out.note(strong(`  ${key} `), words);
  out.note(faint('  Esc cancels the call.'));
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
      // Esc at a follow-up question returns to the card; Ctrl-C there stops, as it does at the card.
      if (failure.code === 'cancelled' && failure.details?.['key'] === 'escape') continue;
      if (failure.code === 'cancelled') return 'stopped';
      renderError(failure.toView(), out);
      // Arguments can be retyped; with anything else asking again wouldn't help.
      if (failure.code !== 'bad_arguments' && failure.code !== 'usage') return 'answered';
    }
  }
}

async function answerOf(
  { key, offer }: Choice,
  approval: Approval,
  { terminal }: Session,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const { argsHash } = approval;
  if (key === 'n') {
    const asksModel = approval.requester.kind !== 'person';
    const note = asksModel
      ? (await terminal.ask('Why not? The note is sent to the caller: ', signal)).trim()
      : '';
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

/** A call typed by a person, who is asked here unless another face answers first. */
export async function callAtTerminal(
  request: CallRequest,
  options: CallOptions,
  session: HubSession,
): Promise<CallResult> {
  const { hub } = session;
  const ended = new AbortController();
  const stopped = new AbortController();
  let asking: Promise<void> = Promise.resolve();
  const ask = async (approval: Approval): Promise<void> => {
    try {
      const asked = await unlessAnswered({ approvals: [approval], session, signal: ended.signal }, (signal) =>
        askApproval(approval, session, signal),
      );
      if (asked === 'stopped') stopped.abort(new Error('stopped by the person'));
    } catch (error) {
      stopped.abort(error);
    }
  };
  try {
    return await hub.tools.call(
      { ...request, requester: 'person', approval: 'wait' },
      {
        ...options,
        signal: AbortSignal.any([session.signal, stopped.signal]),
        onApproval: (approval) => {
          asking = asking.then(() => ask(approval));
        },
      },
    );
  } catch (error) {
    if (!stopped.signal.aborted || session.signal.aborted) throw error;
    throw cancelled(`You stopped it. ${request.tool} was not called.`);
  } finally {
    ended.abort(new Error('the call is over'));
    await asking;
  }
}

interface Waiting {
  readonly approvals: readonly Approval[];
  readonly session: HubSession;
  readonly signal: AbortSignal;
}

export async function unlessAnswered<T>(
  { approvals, session, signal: ended }: Waiting,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'answered'> {
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, ended, over.signal]);
  const open = new Set(approvals.map(({ id }) => id));
  const watch = async (): Promise<void> => {
    for await (const { approval, outcome } of answersTo(session.hub, approvals, signal)) {
      if (signal.aborted) return;
      open.delete(approval.id);
      if (open.size === 0) over.abort(new Error('answered elsewhere'));
      session.out.note('');
      session.out.note(`${approval.server}/${approval.tool}: ${ELSEWHERE[outcome] ?? outcome}`);
      if (open.size === 0) return;
    }
  };
  const watching = watch();
  try {
    return await ask(signal);
  } catch (error) {
    if (signal.aborted) return 'answered'; // elsewhere, or not in time
    throw toPlugError(error);
  } finally {
    over.abort(new Error('answered'));
    await watching;
  }
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  allowed: 'it was allowed elsewhere.',
  denied: 'it was denied elsewhere.',
  unanswered: 'not answered in time.',
  withdrawn: 'the caller withdrew it.',
};

async function* answersTo(hub: Hub, approvals: readonly Approval[], signal: AbortSignal) {
  try {
    for await (const event of hub.watch({ signal })) {
      if (event.kind !== 'approval-answer') continue;
      const approval = approvals.find(({ id }) => id === event.id);
      if (approval) yield { approval, outcome: event.outcome };
    }
  } catch {
    // Without events the question stands until the call itself ends.
  }
}
