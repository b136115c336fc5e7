import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { ServerIcon } from '../servers/server-icon.tsx';
import { FEATURED } from './featured.ts';
import styles from './add.module.css';

/** Servers that nearly everybody has heard of, each added by one click. */
export function WellKnown({ onTake }: { readonly onTake: (words: string) => void }): ReactNode {
  return (
    <section className={styles['stack']} aria-label="Well-known servers">
      <p className={styles['meta']}>Or pick a well-known one:</p>
      <div className={styles['chips']}>
        {FEATURED.map(({ name, words }) => (
          <Button key={words} onClick={() => onTake(words)}>
            <ServerIcon id={words} name={name} featured={words} size="small" />
            {name}
          </Button>
        ))}
      </div>
    </section>
  );
}
