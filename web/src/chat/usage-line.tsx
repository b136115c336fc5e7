import type { ReactNode } from 'react';
import type { ChatUsage } from '../hub/hub-context.tsx';
import { counted, shortNumber } from '../parts/words.ts';
import styles from './turn-view.module.css';

/** What a turn cost. */
export function UsageLine({ usage }: { readonly usage: ChatUsage }): ReactNode {
  const { inputTokens, outputTokens, steps, calls, cost } = usage;
  const words = [
    `${shortNumber(inputTokens)} tokens in`,
    `${shortNumber(outputTokens)} out`,
    counted(steps, 'step'),
    ...(calls > 0 ? [counted(calls, 'call')] : []),
    ...(cost === undefined ? [] : [`$${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`]),
  ];
  return <p className={styles['meta']}>{words.join(' · ')}</p>;
}
