import { useEffect, useRef, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Spinner } from '../parts/spinner.tsx';
import type { PlanWork } from './use-plan-work.ts';
import styles from './plan-log.module.css';

/** What happens while a server is tried, as it happens, and then the outcome in a sentence. */
export function PlanLog({ work }: { readonly work: PlanWork }): ReactNode {
  const { doing, log, tried } = work;
  const lines = useRef<HTMLOListElement>(null);
  useEffect(() => {
    lines.current?.scrollTo({ top: lines.current.scrollHeight });
  }, [log]);
  const step = log.findLast(({ kind }) => kind === 'step')?.text;
  return (
    <>
      {log.length > 0 && (
        <ol ref={lines} className={styles['log']} aria-label="What happens" tabIndex={0}>
          {log.map(({ kind, text }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their place
            <li key={at} className={styles[kind]}>
              {showHidden(text)}
            </li>
          ))}
        </ol>
      )}
      <div role="status" className={styles['said']}>
        {doing !== 'nothing' && (
          <p className={styles['outcome']}>
            <Spinner /> {showHidden(step ?? (doing === 'try' ? 'Trying it…' : 'Adding it…'))}
          </p>
        )}
        {tried && (
          <p className={`${styles['outcome']} ${styles['good']}`}>
            <Icon name="check" /> {showHidden(tried.summary)}{' '}
            {tried.signIn && 'You sign in after adding it. '}
            Nothing is saved yet.
          </p>
        )}
      </div>
    </>
  );
}
