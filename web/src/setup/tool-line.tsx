import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ChatCallOutcome } from '../hub/hub-context.tsx';
import { Spinner } from '../parts/spinner.tsx';
import styles from './setup.module.css';

interface ToolLineProps {
  readonly says: string;
  /** Absent while it runs. */
  readonly outcome: ChatCallOutcome | undefined;
}

/** What is being looked up or tried, in a line. */
export function ToolLine({ says, outcome }: ToolLineProps): ReactNode {
  return (
    <p className={styles['tool']}>
      {outcome === undefined ? (
        <Spinner />
      ) : (
        <span className={outcome === 'completed' ? styles['good'] : styles['bad']}>
          <span aria-hidden="true">{outcome === 'completed' ? '✓' : '✖'}</span>
          <span className="only-heard">{outcome === 'completed' ? 'Done:' : 'Did not work:'}</span>
        </span>
      )}
      <span>{showHidden(says)}</span>
    </p>
  );
}
