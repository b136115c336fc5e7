import type { ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { useHubQuery, keys } from '../hub/queries.ts';
import type { Approval } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { BatchAnswers } from './batch-answers.tsx';
import styles from './approvals-page.module.css';

/** Everything that waits for an answer, oldest first; what was asked at once can be answered at once. */
export default function ApprovalsPage(): ReactNode {
  const { data, error, refetch } = useHubQuery(keys.approvals, (hub) => hub.approvals.list());
  return (
    <Page title="Approvals">
      {error && (
        <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      )}
      {data?.length === 0 && (
        <EmptyState title="No pending approvals">
          Calls that aren’t read-only ask here first. Allow them once, for this session or always; what you
          always allow is listed under Grants.
        </EmptyState>
      )}
      {batchesOf(data ?? []).map((batch) => (
        <Batch key={batch[0]?.batch} approvals={batch} />
      ))}
    </Page>
  );
}

function Batch({ approvals }: { readonly approvals: readonly Approval[] }): ReactNode {
  return (
    <section className={styles['batch']} aria-label={approvals.length > 1 ? 'Asked together' : 'Asked alone'}>
      {approvals.length > 1 && <BatchAnswers approvals={approvals} />}
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </section>
  );
}

function batchesOf(approvals: readonly Approval[]): readonly (readonly Approval[])[] {
  return [...Map.groupBy(approvals, ({ batch }) => batch).values()];
}
