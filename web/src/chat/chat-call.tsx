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

/** The row of a call in an answer. Tried again, it is the person who calls; the model is not told. */
export function ChatCall({ call, conversationId, turnId }: ChatCallProps): ReactNode {
  const hub = useHub();
  const [asked, setAsked] = useState<Approval>();
  const retry = useCallback(
    (again: ShownCall): void => {
      const show = (change: Partial<ShownCall>): void =>
        conversations.changeTurn(conversationId, turnId, (turn) => ({
          ...turn,
          parts: turn.parts.map((part) =>
            part.kind === 'call' && part.call.id === again.id
              ? { ...part, call: { ...part.call, error: undefined, ...change } }
              : part,
          ),
        }));
      const { tool, args } = again;
      show({ outcome: undefined });
      const onApproval = (approval: Approval): void => {
        setAsked(approval);
        show({ outcome: undefined, waits: true });
      };
      pageHostOf(hub)
        .during((given) =>
          hub.tools.call({ tool, args, requester: 'person', approval: 'wait', ...given }, { onApproval }),
        )
        .then(
          (answer) =>
            show({
              ...shownResult(answer),
              outcome: answer.isError ? 'failed' : 'completed',
              waits: false,
              durationMs: answer.durationMs,
              allowedBy: answer.allowedBy,
            }),
          (error: unknown) => {
            const view = toPlugError(error).toView();
            show({ outcome: view.code === 'denied' ? 'denied' : 'failed', error: view, text: view.message });
          },
        );
    },
    [hub, conversationId, turnId],
  );
  // A tool of ours, such as search_tools, is nothing that a person would call.
  return (
    <>
      <CallRow call={call} onRetry={call.tool.includes('/') ? retry : undefined} />
      {asked && <AskedInPlace approval={asked} />}
    </>
  );
}
