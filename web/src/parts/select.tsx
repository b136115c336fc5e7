import type { ReactNode } from 'react';
import styles from './select.module.css';

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
  readonly id?: string;
}

/** One of several. The browser's own: it is the best one on a phone, and weighs nothing. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { label, value, choices, onChange, disabled = false, id } = props;
  return (
    <select
      className={styles['select']}
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as Value)} // the options below are the choices
      {...(id === undefined ? {} : { id })}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
