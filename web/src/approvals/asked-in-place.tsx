import { useState, type ReactNode } from 'react';
import type { Approval } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { ApprovalCard } from './approval-card.tsx';

/**
 * The card where the call is, as the hub shows it to people: what a program is told of its own question
 * lacks the text of files. It stays until one looks elsewhere, so that one sees what came of it.
 */
export function AskedInPlace({ approval }: { readonly approval: Approval }): ReactNode {
  const { data } = useHubQuery(keys.approvals, (hub) => hub.approvals.list());
  const waiting = data?.find(({ id }) => id === approval.id);
  const [seen, setSeen] = useState(waiting);
  if (waiting && waiting.id !== seen?.id) setSeen(waiting);
  const shown = waiting ?? (seen?.id === approval.id ? seen : undefined);
  return shown ? <ApprovalCard key={shown.id} approval={shown} /> : null;
}
