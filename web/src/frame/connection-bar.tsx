import type { ReactNode } from 'react';
import { Spinner } from '../parts/spinner.tsx';
import { useConnection } from './connection.tsx';
import styles from './connection-bar.module.css';

/** Says that the hub is away, for as long as it is. What was typed stays where it is. */
export function ConnectionBar(): ReactNode {
  const connection = useConnection();
  return (
    <div role="status">
      {connection === 'reconnecting' && (
        <p className={styles['bar']}>
          <Spinner /> Reconnecting to the hub… What you typed is kept.
        </p>
      )}
    </div>
  );
}
