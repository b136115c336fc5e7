import type { ReactNode } from 'react';
import { keys, useHubQuery } from '../hub/queries.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { GrantRow } from './grant-row.tsx';
import styles from './grants.module.css';

/** All grants: those that hold first, then those that hold no more. */
export function GrantList(): ReactNode {
  const { data, error } = useHubQuery(keys.grants, (hub) => hub.grants.list());
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  if (data.length === 0) {
    return (
      <EmptyState title="No grants yet">
        When you answer an approval with “This session” or “Always”, the grant shows up here. You can also add
        one yourself.
      </EmptyState>
    );
  }
  const sorted = data.toSorted((a, b) => Number(a.stale !== undefined) - Number(b.stale !== undefined));
  return (
    <ul className={styles['rows']} aria-label="Grants">
      {sorted.map((grant) => (
        <GrantRow key={grant.id} grant={grant} />
      ))}
    </ul>
  );
}
