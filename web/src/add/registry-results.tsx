import { memo, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Fold } from '../parts/fold.tsx';
import { counted, shortNumber } from '../parts/words.ts';
import { RegistryDetails } from './registry-details.tsx';
import styles from './registry-results.module.css';

type Found = PlanOffer['choices'][number];

interface RegistryResultsProps {
  readonly results: readonly Found[];
  /** Continues with the server at this address. */
  readonly onAdd: (address: string) => void;
  readonly busy?: boolean;
}

/** Servers as registries list them, a page at a time. */
export function RegistryResults({ results, onAdd, busy = false }: RegistryResultsProps): ReactNode {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className={styles['results']}>
        {results.slice(0, shown).map((found) => (
          <Result key={found.address} found={found} onAdd={onAdd} busy={busy} />
        ))}
      </ul>
      {results.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + PAGE)}>
            Show {counted(Math.min(PAGE, results.length - shown), 'more server', 'more servers')}
          </Button>
        </div>
      )}
    </>
  );
}

const PAGE = 30;

const Result = memo(function Result({
  found,
  onAdd,
  busy,
}: {
  readonly found: Found;
  readonly onAdd: (address: string) => void;
  readonly busy: boolean;
}): ReactNode {
  const { title, name, address, description, verified, useCount, sources, deprecated, entries } = found;
  const others = sources.filter((source) => source !== 'official');
  const official = entries.some(({ kind }) => kind === 'official');
  return (
    <li className={styles['result']}>
      <div className={styles['head']}>
        <h3>{showHidden(title)}</h3>
        {verified && (
          <Chip tone="good" title="Verified publisher">
            ✓ verified
          </Chip>
        )}
        {official && <Chip tone="info">official registry</Chip>}
        {deprecated && <Chip tone="warn">▲ deprecated</Chip>}
        {others.map((source) => (
          <Chip key={source}>{showHidden(source)}</Chip>
        ))}
        {useCount > 0 && <span className={styles['meta']}>used {shortNumber(useCount)} times</span>}
      </div>
      <p className={styles['about']}>{showHidden(description)}</p>
      <p className={styles['meta']}>{showHidden(name)}</p>
      <Fold label="Details">
        <RegistryDetails found={found} />
      </Fold>
      <Button
        className={styles['add'] ?? ''}
        onClick={() => onAdd(address)}
        disabled={busy}
        aria-label={`Add ${title}`}
      >
        Add
      </Button>
    </li>
  );
});
