import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { PlugError } from '../../../src/base/errors.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ImportFind, ImportOutcome } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { counted } from '../parts/words.ts';
import styles from './plan-added.module.css';

interface ImportDoneProps {
  readonly outcome: ImportOutcome;
  readonly found: readonly ImportFind[];
  readonly onMore: () => void;
}

/** What an import came to: what is here now, what is not and why. */
export function ImportDone({ outcome, found, onMore }: ImportDoneProps): ReactNode {
  const { imported, skipped, failed } = outcome;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  const nameOf = (ref: string): string => showHidden(found.find((find) => find.ref === ref)?.name ?? ref);
  const secrets = imported.flatMap(({ keys }) => keys).length;
  return (
    <section ref={place} className={styles['added']} tabIndex={-1} aria-label="Import complete">
      <p role="status" className={styles['line']}>
        <Icon name="check" />
        <strong>
          Imported {counted(imported.length, 'server')}
          {imported.length > 0 && `: ${imported.map(({ id }) => id).join(', ')}`}.
        </strong>
      </p>
      {secrets > 0 && <p className={styles['meta']}>{counted(secrets, 'key')} went into the vault.</p>}
      {imported.map(({ id, renamedFrom }) =>
        renamedFrom === undefined ? null : (
          <p key={id} className={styles['meta']}>
            {showHidden(renamedFrom)} is called {id} here: the name was taken.
          </p>
        ),
      )}
      {skipped.map(({ ref, why }) => (
        <p key={ref} className={styles['meta']}>
          {nameOf(ref)} was left out: {showHidden(why)}
        </p>
      ))}
      {failed.map(({ ref, error }) => (
        <ErrorNote
          key={ref}
          error={PlugError.fromView({ ...error, message: `${nameOf(ref)}: ${error.message}` })}
        />
      ))}
      <div className={styles['row']}>
        <Link href={places.servers} className={`${buttons['button']} ${buttons['primary']}`}>
          See your servers
        </Link>
        <Button onClick={onMore}>Import more</Button>
      </div>
    </section>
  );
}
