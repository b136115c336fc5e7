import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The one thing to do here. */
  readonly action?: ReactNode;
}

/** Nothing here yet: why, and the one thing to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children && <div className={styles['words']}>{children}</div>}
      {action}
    </div>
  );
}
