import type { ReactNode } from 'react';
import styles from '../settings/settings.module.css';

/** For auditors: the one place where arguments of others are seen, as files. */
export function Records(): ReactNode {
  return (
    <section aria-label="Records">
      <h2>Records</h2>
      <p className={styles['lead']}>Every call of everybody in the last 30 days, with its arguments.</p>
      <p>
        <a href="/v1/team/audit?days=30&format=csv" download>
          Export CSV
        </a>{' '}
        <a href="/v1/team/audit?days=30&format=jsonl" download>
          Export JSON lines
        </a>
      </p>
    </section>
  );
}
