import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ChangeView } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { When } from '../parts/when.tsx';
import { UndoChange } from './undo-change.tsx';
import styles from './activity.module.css';

/** What was done to servers and to files of other apps, newest first; the newest can be undone. */
export function Changes(): ReactNode {
  const { data, error } = useHubQuery(keys.changes, (hub) => hub.changes.list(), {
    refetchOnMount: 'always',
  });
  const [undoing, setUndoing] = useState<ChangeView>();
  return (
    <div className={styles['stack']}>
      {error && <ErrorNote error={error} />}
      {data?.length === 0 && (
        <EmptyState title="Nothing to undo">
          When a server is added, changed or removed, it shows up here and can be undone.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['rows']} aria-label="Changes">
          {data.map((change, index) => (
            <li key={change.id} className={styles['change']}>
              <span className={styles['what']}>
                {showHidden(change.says)}
                {change.unfinished && <span> It was cut off.</span>}
                {change.files.length > 0 && <span> {change.files.map(showHidden).join(', ')}</span>}
              </span>
              {index === 0 ? <Button onClick={() => setUndoing(change)}>Undo…</Button> : <span />}
              <span className={styles['at']}>
                <When at={change.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {undoing && <UndoChange change={undoing} onClose={() => setUndoing(undefined)} />}
    </div>
  );
}
