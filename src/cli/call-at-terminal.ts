import { toPlugError } from '../base/errors.ts';
import type { Approval, CallOptions, CallRequest, CallResult, Hub } from '../hub/hub.ts';
import { askApproval } from './ask-approval.ts';
import type { Session } from './session.ts';
import { cancelled } from './failures.ts';

/**
 * A call typed by a person: when it has to be approved, they are asked here. Somebody may be
 * faster on another face; then the question goes away.
 */
export async function callAtTerminal(
  hub: Hub,
  request: CallRequest,
  options: CallOptions,
  session: Session,
): Promise<CallResult> {
  const ended = new AbortController();
  const stopped = new AbortController();
  let asking: Promise<void> = Promise.resolve();
  const ask = async (approval: Approval): Promise<void> => {
    try {
      const asked = await unlessAnswered(
        { hub, approvals: [approval], session, signal: ended.signal },
        (signal) => askApproval(hub, approval, session, signal),
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
  readonly hub: Hub;
  readonly approvals: readonly Approval[];
  readonly session: Session;
  /** Aborts when the call is over. */
  readonly signal: AbortSignal;
}

/** A question about calls that wait. Answered elsewhere, all of them, it goes away. */
export async function unlessAnswered<T>(
  { hub, approvals, session, signal: ended }: Waiting,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'answered'> {
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, ended, over.signal]);
  const open = new Set(approvals.map(({ id }) => id));
  const watch = async (): Promise<void> => {
    for await (const { approval, outcome } of answersTo(hub, approvals, signal)) {
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
    if (signal.aborted) return 'answered'; // by somebody else, or by nobody in time
    throw toPlugError(error);
  } finally {
    over.abort(new Error('answered'));
    await watching;
  }
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  allowed: 'it was allowed elsewhere.',
  denied: 'it was denied elsewhere.',
  unanswered: 'nobody answered in time, which is a no.',
  withdrawn: 'it is no longer wanted.',
};

/** How they were answered while the question stood here, until nobody waits for that. */
async function* answersTo(
  hub: Hub,
  approvals: readonly Approval[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly approval: Approval; readonly outcome: string }> {
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
