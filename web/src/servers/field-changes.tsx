import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { DiffView } from '../parts/diff-view.tsx';
import styles from './field-changes.module.css';

interface FieldChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** What is not as it was approved, field by field, old and new side by side. */
export function FieldChanges({ changes }: { readonly changes: readonly FieldChange[] }): ReactNode {
  if (changes.length === 0) return <p>Nothing visible to people or models changed.</p>;
  return (
    <ul className={styles['changes']}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <p className={styles['field']}>{showHidden(field)}</p>
          <DiffView label={showHidden(field)} before={before} after={after} />
        </li>
      ))}
    </ul>
  );
}
