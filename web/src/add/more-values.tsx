import type { ReactNode } from 'react';
import { namesSecret } from '../../../src/base/secret-names.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { SecretField } from '../parts/secret-field.tsx';
import form from '../parts/form/form.module.css';
import styles from './add.module.css';

export interface MoreValue {
  readonly name: string;
  readonly value: string;
}

interface MoreValuesProps {
  readonly kind: 'variable' | 'header';
  readonly values: readonly MoreValue[];
  readonly onChange: (values: readonly MoreValue[]) => void;
}

/** Variables or headers beyond what the plan asks for. One that is named like a secret is covered. */
export function MoreValues({ kind, values, onChange }: MoreValuesProps): ReactNode {
  const change = (at: number, next: Partial<MoreValue>): void =>
    onChange(values.map((one, index) => (index === at ? { ...one, ...next } : one)));
  return (
    <div className={form['items']}>
      {values.map(({ name, value }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is its place: names are being typed
        <div key={at} className={styles['pair']}>
          <input
            className={`${form['input']} ${form['code']}`}
            aria-label={`Name of ${kind} ${at + 1}`}
            placeholder={kind === 'header' ? 'X-Workspace' : 'LOG_LEVEL'}
            value={name}
            onChange={(event) => change(at, { name: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
          {namesSecret(name) ? (
            <SecretField
              label={name}
              aria-label={`Value of ${name}`}
              value={value}
              onChange={(next) => change(at, { value: next })}
            />
          ) : (
            <input
              className={`${form['input']} ${form['code']}`}
              aria-label={`Value of ${name || `${kind} ${at + 1}`}`}
              value={value}
              onChange={(event) => change(at, { value: event.target.value })}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <IconButton
            label={`Remove ${name || `${kind} ${at + 1}`}`}
            icon="close"
            onClick={() => onChange(values.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button look="quiet" icon="plus" onClick={() => onChange([...values, { name: '', value: '' }])}>
        Add a {kind}
      </Button>
    </div>
  );
}

/** By name; what has no name yet is left out. */
export function pairsOf(values: readonly MoreValue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}
