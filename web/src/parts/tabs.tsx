import { Tabs as Headless } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: ReactNode; readonly panel: () => ReactNode }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  /** Fills the height and scrolls inside, as a chat does. */
  readonly tall?: boolean;
}

/** Only the chosen panel exists. */
export function Tabs<Id extends string>({
  label,
  tabs,
  value,
  onChange,
  tall = false,
}: TabsProps<Id>): ReactNode {
  return (
    <Headless.Root
      className={tall ? `${styles['root']} ${styles['tall']}` : styles['root']}
      value={value}
      onValueChange={(next) => onChange(next as Id)} // the values are the ids below
    >
      <Headless.List className={styles['list']} aria-label={label}>
        {tabs.map((tab) => (
          <Headless.Tab key={tab.id} value={tab.id} className={styles['tab']}>
            {tab.label}
          </Headless.Tab>
        ))}
      </Headless.List>
      {tabs.map((tab) => (
        <Headless.Panel key={tab.id} value={tab.id} className={styles['panel']}>
          {tab.id === value && tab.panel()}
        </Headless.Panel>
      ))}
    </Headless.Root>
  );
}
