import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import styles from './add.module.css';

/** What adds each server of an offer, by its plan. */
export type Adders = Map<string, () => void>;

/** Several servers came at once: each can be looked at, and all can be added. */
export function AddAll({ format, adders }: { readonly format: string; readonly adders: Adders }): ReactNode {
  return (
    <div className={styles['row']}>
      <p>{format}. Look at what each would run or reach.</p>
      <Button
        onClick={() => {
          for (const add of adders.values()) add();
        }}
      >
        Add all complete servers
      </Button>
    </div>
  );
}
