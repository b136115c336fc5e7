import type { ReactNode } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Switch } from '../parts/switch.tsx';
import { ALWAYS, WAYS } from './shortcut-keys.ts';
import styles from './shortcuts.module.css';

interface ShortcutListProps {
  /** Whether single keys lead somewhere. */
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly onClose: () => void;
}

/** What the keys do, and the switch for single ones. */
export default function ShortcutList({ on, onChange, onClose }: ShortcutListProps): ReactNode {
  return (
    <Dialog title="Keyboard" open onClose={onClose}>
      <dl className={styles['keys']}>
        {[...ALWAYS, ...WAYS].map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Switch label="Keyboard shortcuts" checked={on} onChange={onChange} shown />
    </Dialog>
  );
}
