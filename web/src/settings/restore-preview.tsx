import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { RestoredThing, RestoreOutcome } from '../hub/hub-context.tsx';
import { Fold } from '../parts/fold.tsx';
import { counted } from '../parts/words.ts';
import styles from './settings.module.css';

interface RestorePreviewProps {
  readonly outcome: RestoreOutcome;
  readonly done: boolean;
}

const SHOWN_MAX = 200;

/** What comes back, what stays as it is, what cannot, and what is left to do. */
export function RestorePreview({ outcome, done }: RestorePreviewProps): ReactNode {
  const { restored, kept, failed, todo } = outcome;
  return (
    <div className={styles['stack']} role="status">
      <Fold open label={`${counted(restored.length, 'thing')} ${done ? 'came back' : 'would come back'}`}>
        <Things things={restored} />
      </Fold>
      {kept.length > 0 && (
        <Fold label={`${counted(kept.length, 'thing')} ${done ? 'stayed' : 'would stay'} as it is here`}>
          <Things things={kept} />
        </Fold>
      )}
      {failed.length > 0 && (
        <Fold open label={`${counted(failed.length, 'thing')} cannot come back`}>
          <Things things={failed.map((thing) => ({ ...thing, says: thing.reason }))} />
        </Fold>
      )}
      {todo.length > 0 && (
        <div className={styles['warn']}>
          <p>You still need to:</p>
          <ul>
            {todo.map((text) => (
              <li key={text}>▲ {showHidden(text)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Things({ things }: { readonly things: readonly RestoredThing[] }): ReactNode {
  return (
    <ul>
      {things.slice(0, SHOWN_MAX).map(({ kind, name, says }) => (
        <li key={`${kind} ${name}`}>
          {kind} <strong>{showHidden(name)}</strong>
          {says !== undefined && <span className={styles['meta']}> {showHidden(says)}</span>}
        </li>
      ))}
      {things.length > SHOWN_MAX && <li>and {things.length - SHOWN_MAX} more</li>}
    </ul>
  );
}
