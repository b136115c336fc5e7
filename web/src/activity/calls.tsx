import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { counted } from '../parts/words.ts';
import { CallFilters } from './call-filters.tsx';
import { CallRow } from './call-row.tsx';
import { Figures } from './charts/figures.tsx';
import { ExportCalls } from './export-calls.tsx';
import { useFilters } from './filters.ts';
import { RunningCalls } from './running-calls.tsx';
import { useCalls } from './use-calls.ts';
import styles from './activity.module.css';

/** Figures above, then every call that was asked for, newest first. */
export function Calls(): ReactNode {
  const [filters, change] = useFilters();
  const { calls, error, isLoading, fresh, showFresh, more, showMore } = useCalls(filters);
  return (
    <div className={styles['stack']}>
      <Figures filters={filters} onChange={change} />
      <div className={styles['bar']}>
        <CallFilters filters={filters} onChange={change} />
        <div role="status" className={styles['fresh']}>
          {fresh > 0 && <Button onClick={showFresh}>Show {counted(fresh, 'new call')}</Button>}
        </div>
        <ExportCalls filters={filters} />
      </div>
      <RunningCalls server={filters.server} />
      {error && <ErrorNote error={error} />}
      {isLoading && <p className={styles['meta']}>Loading…</p>}
      {!isLoading && !error && calls.length === 0 && (
        <EmptyState title="No calls here">
          When an agent, a host or you use a tool, the call shows up here with the reason why it was allowed.
        </EmptyState>
      )}
      {calls.length > 0 && (
        <ul className={styles['rows']} aria-label="Calls">
          {calls.map((call) => (
            <CallRow key={call.callId} call={call} />
          ))}
        </ul>
      )}
      {more && (
        <div>
          <Button onClick={showMore}>Show older calls</Button>
        </div>
      )}
    </div>
  );
}
