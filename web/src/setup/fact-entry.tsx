import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { Icon } from '../parts/icon.tsx';
import type { Fact } from './entries.ts';
import styles from './setup.module.css';

export function FactEntry({ entry }: { readonly entry: Fact }): ReactNode {
  return (
    <p className={styles['fact']}>
      <Icon name="check" /> {showHidden(entry.text)}
    </p>
  );
}
