import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';

interface RetryStepProps {
  readonly label: string;
  /** Until then the hub refuses calls; a person may try at any time. */
  readonly at?: number | undefined;
  /** It was tried before. */
  readonly isAgain: boolean;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

/** Tries again, and says how long calls wait if nobody does. */
export function RetryStep({ label, at, isAgain, busy, onRetry }: RetryStepProps): ReactNode {
  const seconds = useSecondsUntil(at);
  return (
    <Button {...(isAgain ? { icon: 'retry' as const } : {})} busy={busy} onClick={onRetry}>
      {label}
      {seconds > 0 && ` (in ${seconds} s)`}
    </Button>
  );
}

function useSecondsUntil(at: number | undefined): number {
  const left = (): number => Math.max(0, Math.ceil(((at ?? 0) - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (at === undefined || at <= Date.now()) return undefined;
    const timer = window.setInterval(() => {
      setSeconds(left());
      if (at <= Date.now()) window.clearInterval(timer);
    }, 1_000);
    return () => window.clearInterval(timer);
  }, [at]); // eslint-disable-line react/exhaustive-deps
  return seconds;
}
