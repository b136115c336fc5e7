import { useEffect, useState, type ReactNode } from 'react';
import styles from './approval-card.module.css';

interface CountdownProps {
  readonly until: number;
  readonly from: number;
}

/** How long there is to answer. Shown, and not read out each second. */
export function Countdown({ until, from }: CountdownProps): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((until - now) / 1_000));
  // The last minute is counted, those before it are not.
  const minutes = seconds > 60 ? Math.ceil(seconds / 60) : 0;
  const left = minutes > 0 ? `${minutes} min` : `${seconds} s`;
  return (
    <div className={styles['countdown']}>
      <progress max={Math.max(1, until - from)} value={Math.max(0, until - now)} aria-hidden="true" />
      <span>{seconds === 0 ? 'Expired: denied.' : `Auto-denies in ${left}`}</span>
    </div>
  );
}
