import type { ReactNode } from 'react';
import { toPlugError, type Owner } from '../../../src/base/errors.ts';
import { Icon } from './icon.tsx';
import { RemedyStep } from './remedy-step.tsx';
import styles from './error-note.module.css';

interface ErrorNoteProps {
  readonly error: unknown;
  /** The button that does the next step; without one, that of the error's remedy. */
  readonly action?: ReactNode;
}

/** What happened, whose move it is, and the button that makes it. Stays until it is read. */
export function ErrorNote({ error, action }: ErrorNoteProps): ReactNode {
  const { message, owner, remedy } = toPlugError(error);
  return (
    <div className={styles['note']} role="alert">
      <Icon name="warn" />
      <div className={styles['words']}>
        <p>{message}</p>
        <p className={styles['meta']}>{WHOSE[owner]}</p>
      </div>
      {action ?? (remedy !== undefined && <RemedyStep remedy={remedy} />)}
    </div>
  );
}

export const WHOSE: Readonly<Record<Owner, string>> = {
  you: 'This is yours to change.',
  server: 'The server is at fault.',
  network: 'The network is at fault.',
  registry: 'The registry is at fault.',
  plugboard: 'Plugboard is at fault.',
};
