import { Switch as Headless } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  /** What it switches, in words. */
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  /** Show the label beside it; else it is only heard. */
  readonly shown?: boolean;
  /** For a label that stands elsewhere. */
  readonly id?: string;
}

export function Switch({
  label,
  checked,
  onChange,
  disabled = false,
  shown = false,
  id,
}: SwitchProps): ReactNode {
  return (
    <label className={styles['label']} title={shown ? undefined : label}>
      <Headless.Root
        className={styles['track']}
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        aria-label={label}
        {...(id === undefined ? {} : { id })}
      >
        <Headless.Thumb className={styles['thumb']} />
      </Headless.Root>
      {shown && <span>{label}</span>}
    </label>
  );
}
