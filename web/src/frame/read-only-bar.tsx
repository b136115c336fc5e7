import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keys, useHubQuery } from '../hub/queries.ts';
import styles from './connection-bar.module.css';
import { places } from './places.ts';

/** Says on every page that only reads run, and where that is switched off. */
export function ReadOnlyBar(): ReactNode {
  const { data } = useHubQuery(keys.settings, (hub) => hub.settings.get());
  return (
    <div role="status">
      {data?.readOnly === true && (
        <p className={styles['bar']}>
          Read-only mode is on: tools that write are hidden and can’t run.{' '}
          <Link href={`${places.settings}/read-only`}>Change it</Link>
        </p>
      )}
    </div>
  );
}
