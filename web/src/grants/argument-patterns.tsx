import type { ReactNode } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from './grants.module.css';

export interface Pattern {
  readonly path: string;
  readonly glob: string;
}

interface ArgumentPatternsProps {
  readonly value: readonly Pattern[];
  readonly onChange: (value: readonly Pattern[]) => void;
}

/** Narrows a grant: only calls whose arguments look like this. */
export function ArgumentPatterns({ value, onChange }: ArgumentPatternsProps): ReactNode {
  const change = (index: number, next: Partial<Pattern>): void =>
    onChange(value.map((pattern, at) => (at === index ? { ...pattern, ...next } : pattern)));
  return (
    <div className={styles['form']}>
      {value.map(({ path, glob }, index) => (
        // Rows have no identity but their place, and are only added and removed.
        // eslint-disable-next-line react/no-array-index-key
        <div key={index} className={styles['pair']}>
          <TextField
            label="Argument"
            placeholder="repo"
            value={path}
            onChange={(next) => change(index, { path: next })}
          />
          <TextField
            label="looks like"
            placeholder="acme/*"
            value={glob}
            onChange={(next) => change(index, { glob: next })}
          />
          <IconButton
            label="Remove this condition"
            icon="close"
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button look="quiet" icon="plus" onClick={() => onChange([...value, { path: '', glob: '' }])}>
          Only with certain arguments
        </Button>
      </div>
    </div>
  );
}
