import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Fold } from '../parts/fold.tsx';
import { Icon } from '../parts/icon.tsx';
import { counted } from '../parts/words.ts';
import styles from './add.module.css';

/** What of a paste was not understood, with the line it stands in. */
export function PasteProblems({ problems }: { readonly problems: PlanOffer['problems'] }): ReactNode {
  const grave = problems.filter(({ severity }) => severity !== 'info');
  const others = problems.filter(({ severity }) => severity === 'info');
  return (
    <>
      {grave.length > 0 && <Lines problems={grave} />}
      {others.length > 0 && (
        <Fold label={counted(others.length, 'note')}>
          <Lines problems={others} />
        </Fold>
      )}
    </>
  );
}

function Lines({ problems }: { readonly problems: PlanOffer['problems'] }): ReactNode {
  return (
    <ul className={styles['list']}>
      {problems.slice(0, SHOWN).map(({ message, severity, line, column, next }) => (
        <li key={`${line}:${column}:${message}`} className={styles[severity === 'info' ? 'note' : 'warning']}>
          {severity !== 'info' && <Icon name="warn" />}
          <span>
            {line !== undefined && `Line ${line}: `}
            {showHidden(message)} {next !== undefined && showHidden(next)}
          </span>
        </li>
      ))}
      {problems.length > SHOWN && <li>{problems.length - SHOWN} more are not shown.</li>}
    </ul>
  );
}

const SHOWN = 20;
