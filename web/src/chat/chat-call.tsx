import { useCallback, useState, type ReactNode } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import { AskedInPlace } from '../approvals/asked-in-place.tsx';
import { useHub, type Approval } from '../hub/hub-context.tsx';
import { CallRow, type ShownCall } from '../parts/call-row.tsx';
import { shownResult } from '../parts/shown-result.ts';
import { conversations } from './conversations.ts';
import { pageHostOf } from './page-host.tsx';

interface ChatCallProps {
  readonly call: ShownCall;
  readonly conversationId: string;
  readonly turnId: string;
}

/**
 * The row of a call in an answer; while it waits for the person, the card stands in its place.
 * Tried again, it is the person who calls; the model is not told.
 */
export function ChatCall({ call, conversationId, turnId }: ChatCallProps): ReactNode {
  const hub = useHub();
  const { id } = call;
  const [again, setAgain] = useState(false);
  const change = useCallback(
    (shown: Partial<ShownCall>): void =>
      conversations.changeTurn(conversationId, turnId, (turn) => ({
        ...turn,
        parts: turn.parts.map((part) =>
          part.kind === 'call' && part.call.id === id ? { ...part, call: { ...part.call, ...shown } } : part,
        ),
      })),
    [conversationId, turnId, id],
  );
  const retry = useCallback(
    ({ tool, args }: ShownCall): void => {
      setAgain(true);
      const show = (shown: Partial<ShownCall>): void => change({ error: undefined, ...shown });
      show({ outcome: undefined, answered: undefined });
      const onApproval = (approval: Approval): void => show({ outcome: undefined, approval });
      pageHostOf(hub)
        .during((given) =>
          hub.tools.call({ tool, args, requester: 'person', approval: 'wait', ...given }, { onApproval }),
        )
        .then(
          (answer) =>
            show({
              ...shownResult(answer),
              outcome: answer.isError ? 'failed' : 'completed',
              approval: undefined,
              durationMs: answer.durationMs,
              allowedBy: answer.allowedBy,
            }),
          (error: unknown) => {
            const view = toPlugError(error).toView();
            show({
              outcome: view.code === 'denied' ? 'denied' : 'failed',
              error: view,
              text: view.message,
              approval: undefined,
            });
          },
        );
    },
    [hub, change],
  );
  // A tool of ours, such as search_tools, is nothing that a person would call.
  const row = <CallRow call={call} onRetry={call.tool.includes('/') ? retry : undefined} />;
  if (!call.approval) return row;
  return (
    <AskedInPlace
      approval={call.approval}
      // What the model calls tells of its answer by itself.
      {...(again && { onEnd: (answered) => change({ approval: undefined, answered }) })}
    >
      {row}
    </AskedInPlace>
  );
}
