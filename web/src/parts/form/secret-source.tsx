import { useState, type ReactNode } from 'react';
import { secretReference, type SecretPlace } from '../../../../src/base/secret-reference.ts';
import { SecretField } from '../secret-field.tsx';
import { Select } from '../select.tsx';
import type { FieldInputProps } from './input-props.ts';
import styles from './form.module.css';

const SOURCES = [
  { value: 'key', label: 'Paste the key' },
  { value: 'file', label: 'Key file' },
  { value: '1password', label: '1Password' },
  { value: 'command', label: 'Another password manager' },
] as const;

const EXAMPLES: Readonly<Record<SecretPlace, string>> = {
  file: '/home/ada/keys/github.txt',
  '1password': 'op://Private/GitHub/token',
  command: 'pass show github',
};

/** A key, or where it is kept: then only the way to it is saved, and it is read at each start. */
export function SecretSource({ field, onChange, marks }: Omit<FieldInputProps, 'value'>): ReactNode {
  const [source, setSource] = useState<(typeof SOURCES)[number]['value']>('key');
  const [text, setText] = useState('');
  const give = (place: typeof source, typed: string): void => {
    setSource(place);
    setText(typed);
    onChange(place === 'key' || typed === '' ? typed : secretReference(place, typed));
  };
  return (
    <span className={styles['items']}>
      {source === 'key' ? (
        <SecretField
          {...marks}
          label={field.label}
          placeholder={field.placeholder}
          value={text}
          onChange={(typed) => give('key', typed)}
        />
      ) : (
        <input
          {...marks}
          className={`${styles['input']} ${styles['code']}`}
          placeholder={EXAMPLES[source]}
          value={text}
          onChange={(event) => give(source, event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <Select
        id={`${marks.id}-source`}
        label={`Where ${field.label} is kept`}
        value={source}
        choices={SOURCES}
        onChange={(place) => give(place, '')}
        disabled={marks.disabled}
      />
    </span>
  );
}
