import type { ReactNode } from 'react';
import type { AuditRecord } from '../hub/hub-context.tsx';
import { useHubQuery } from '../hub/queries.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { ResultView } from '../parts/result-view.tsx';
import { shownResult } from '../parts/shown-result.ts';
import styles from './activity.module.css';

/** What a call answered, as long as the hub remembers it. */
export function RecentResult({ call: { callId } }: { readonly call: AuditRecord }): ReactNode {
  const { data, error } = useHubQuery(['result', 'of', callId], (hub) => hub.results.ofCall({ callId }));
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  if (data.result === undefined) {
    return (
      <p className={styles['meta']}>No longer in memory: the hub remembers the last 200 small results.</p>
    );
  }
  return <ResultView {...shownResult({ result: data.result })} />;
}
