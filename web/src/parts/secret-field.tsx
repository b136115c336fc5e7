import { useState, type ComponentProps, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { LineInput } from './form/line-input.tsx';
import styles from './form/form.module.css';

interface SecretFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** What it is, for the button that shows it: “API key”. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A key or password: covered until asked for, and never offered to or filled in by the browser. */
export function SecretField({ label, value, onChange, ...rest }: SecretFieldProps): ReactNode {
  const [shown, setShown] = useState(false);
  return (
    <span className={styles['secret']}>
      <LineInput
        {...rest}
        className={`${styles['input']} ${styles['code']}`}
        covered={!shown}
        value={value}
        onChange={onChange}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
      <IconButton
        label={shown ? `Cover ${label}` : `Show ${label}`}
        aria-pressed={shown}
        icon="eye"
        onClick={() => setShown(!shown)}
      />
    </span>
  );
}
