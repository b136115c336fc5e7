import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { isTyping } from './use-card-keys.ts';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** `/` puts the cursor here: for one field at a time. */
  readonly slash?: boolean;
}

/** Narrows down a list as one types. */
export function SearchField({ label, value, onChange, slash = true }: SearchFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!slash) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [slash]);
  return (
    <span className={styles['field']}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className={styles['input']}
        aria-label={label}
        placeholder={slash ? `${label}  /` : label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onChange('');
        }}
      />
    </span>
  );
}
