import type { ReactNode } from 'react';
import type { Tone } from './state-badge.tsx';
import styles from './tone.module.css';

interface ChipProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A word or two about something. */
export function Chip({ tone = 'quiet', title, children }: ChipProps): ReactNode {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`} title={title}>
      {children}
    </span>
  );
}
