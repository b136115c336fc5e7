import { useState, type ReactNode } from 'react';
import type { Approval, ApprovalEnd } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { ApprovalCard } from './approval-card.tsx';

interface AskedInPlaceProps {
  readonly approval: Approval;
  readonly onEnd?: (end: ApprovalEnd) => void;
  /** In its place once it is answered; without them, one line of the card stays. */
  readonly children?: ReactNode;
}

/**
 * The card where the call is, as the hub shows it to people: what a program is told of its own question
 * lacks the text of files.
 */
export function AskedInPlace({ approval, onEnd, children }: AskedInPlaceProps): ReactNode {
  const { data } = useHubQuery(keys.approvals, (hub) => hub.approvals.list());
  const waiting = data?.find(({ id }) => id === approval.id);
  const [seen, setSeen] = useState(waiting);
  if (waiting && waiting.id !== seen?.id) setSeen(waiting);
  const shown = waiting ?? (children === undefined && seen?.id === approval.id ? seen : undefined);
  return shown ? <ApprovalCard key={shown.id} approval={shown} onEnd={onEnd} /> : children;
}
