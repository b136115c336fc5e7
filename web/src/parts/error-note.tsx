import type { ReactNode } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import { Icon } from './icon.tsx';
import { RemedyStep } from './remedy-step.tsx';
import styles from './error-note.module.css';

interface ErrorNoteProps {
  readonly error: unknown;
  /** The button that does the next step; without one, that of the error's remedy. */
  readonly action?: ReactNode;
}

/** What happened, and the button that makes the next step. Stays until it is read. */
export function ErrorNote({ error, action }: ErrorNoteProps): ReactNode {
  const { message, remedy } = toPlugError(error);
  return (
    <div className={styles['note']} role="alert">
      <Icon name="warn" />
      <div className={styles['words']}>
        <p>{message}</p>
      </div>
      {action ?? (remedy !== undefined && <RemedyStep remedy={remedy} />)}
    </div>
  );
}
