import { Collapsible } from '@base-ui/react/collapsible';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './fold.module.css';

interface FoldProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly open?: boolean;
}

/** More of the same, for who wants it. What is folded does not exist. */
export function Fold({ label, children, open = false }: FoldProps): ReactNode {
  return (
    <Collapsible.Root defaultOpen={open} className={styles['fold']}>
      <Collapsible.Trigger className={styles['trigger']}>
        <Icon name="right" size={12} /> {label}
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles['panel']}>{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
