import type { ReactNode } from 'react';
import styles from './outside.module.css';

/** What somebody sees who has no session: nothing of the hub, and the one way in. */
export function Outside(): ReactNode {
  return (
    <main className={styles['outside']}>
      <h1>Open Plugboard from your terminal</h1>
      <p>To open this page, run this in a terminal:</p>
      <pre>plug open</pre>
      <p className={styles['meta']}>The link works once, and keeps you signed in on this browser.</p>
    </main>
  );
}
