import { PlugError, toPlugError } from '../base/errors.ts';
import type { Approval, CallOptions, CallRequest, CallResult, Hub } from '../hub/hub.ts';
import { askApproval } from './ask-approval.ts';
import type { Session } from './session.ts';

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
      const asked = await askUnlessAnswered(hub, approval, session, ended.signal);
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
    throw new PlugError('cancelled', `You stopped it. ${request.tool} was not called.`, { owner: 'you' });
  } finally {
    ended.abort(new Error('the call is over'));
    await asking;
  }
}

async function askUnlessAnswered(
  hub: Hub,
  approval: Approval,
  session: Session,
  ended: AbortSignal,
): Promise<'answered' | 'stopped'> {
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, ended, over.signal]);
  const watch = async (): Promise<void> => {
    const outcome = await hearAnswer(hub, approval, signal);
    if (outcome === undefined) return;
    over.abort(new Error('answered elsewhere'));
    session.out.note('');
    session.out.note(`${approval.server}/${approval.tool}: ${ELSEWHERE[outcome] ?? outcome}`);
  };
  const watching = watch();
  try {
    return await askApproval(hub, approval, session, signal);
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

/** How it was answered while the question stood here; undefined once nobody waits for that. */
async function hearAnswer(hub: Hub, { id }: Approval, signal: AbortSignal): Promise<string | undefined> {
  try {
    for await (const event of hub.watch({ signal })) {
      if (event.kind === 'approval-answer' && event.id === id)
        return signal.aborted ? undefined : event.outcome;
    }
  } catch {
    // Without events the question stands until the call itself ends.
  }
  return undefined;
}
