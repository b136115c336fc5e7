import { useId, useRef, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { namesSecret } from '../../../../src/base/secret-names.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { SecretField } from '../../parts/secret-field.tsx';
import type { Pair } from './draft.ts';
import { onlyReference } from './references.ts';
import styles from './config-tab.module.css';

interface PairRowsProps {
  /** “Variables” or “Headers”. */
  readonly label: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Names with values. A reference stays one until it is replaced; what is secret goes into the vault. */
export function PairRows({ label, pairs, onChange }: PairRowsProps): ReactNode {
  const id = useId();
  const count = useRef(0);
  const add = (): void => {
    count.current += 1;
    onChange([...pairs, { key: `${id}-${count.current}`, name: '', value: '', secret: false }]);
  };
  const change = (key: string, next: Partial<Pair>): void =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...next } : pair)));
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      <div className={styles['pairs']}>
        {pairs.map((pair, index) => (
          <PairRow
            key={pair.key}
            pair={pair}
            words={`${label.slice(0, -1)} ${index + 1}`}
            onChange={(next) => change(pair.key, next)}
            onRemove={() => onChange(pairs.filter(({ key }) => key !== pair.key))}
          />
        ))}
      </div>
      <Button look="quiet" icon="plus" onClick={add}>
        Add one
      </Button>
    </fieldset>
  );
}

interface PairRowProps {
  readonly pair: Pair;
  /** “Variable 2”. */
  readonly words: string;
  readonly onChange: (next: Partial<Pair>) => void;
  readonly onRemove: () => void;
}

function PairRow({ pair, words, onChange, onRemove }: PairRowProps): ReactNode {
  const reference = onlyReference(pair.value) && !pair.secret;
  return (
    <div className={styles['pair']}>
      <input
        className={styles['input']}
        aria-label={`${words}, name`}
        placeholder="Name"
        value={pair.name}
        spellCheck={false}
        onChange={(event) =>
          onChange({
            name: event.target.value,
            ...(reference ? {} : { secret: pair.secret || namesSecret(event.target.value) }),
          })
        }
      />
      {reference ? (
        <span className={styles['kept']}>
          <code title={pair.value}>{showHidden(pair.value)}</code>
          <Button look="quiet" onClick={() => onChange({ value: '', secret: true })}>
            Replace
          </Button>
        </span>
      ) : pair.secret ? (
        <SecretField
          label={pair.name === '' ? words : pair.name}
          aria-label={`${words}, value`}
          placeholder="New value"
          value={pair.value}
          onChange={(value) => onChange({ value })}
        />
      ) : (
        <input
          className={styles['input']}
          aria-label={`${words}, value`}
          placeholder="Value"
          value={pair.value}
          spellCheck={false}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
      <IconButton label={`Remove ${pair.name === '' ? words : pair.name}`} icon="trash" onClick={onRemove} />
      {!reference && (
        <label className={styles['secret']}>
          <input
            type="checkbox"
            checked={pair.secret}
            onChange={(event) => onChange({ secret: event.target.checked })}
          />{' '}
          Keep it secret, in the vault
        </label>
      )}
    </div>
  );
}
