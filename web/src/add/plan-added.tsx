import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { InstallOutcome } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { Icon } from '../parts/icon.tsx';
import { counted } from '../parts/words.ts';
import { forgetValues } from './drafts.ts';
import { SignInAfter } from './sign-in-after.tsx';
import styles from './plan-added.module.css';

interface PlanAddedProps {
  readonly outcome: InstallOutcome;
  readonly onAnother: () => void;
}

/** It is there: what it brings along, and what to do with it first. */
export function PlanAdded({ outcome, onAnother }: PlanAddedProps): ReactNode {
  const { server, summary, secrets, signIn } = outcome;
  const [signedIn, setSignedIn] = useState(false);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    forgetValues(server.id);
    place.current?.focus();
  }, [server.id]);
  return (
    <section ref={place} className={styles['added']} tabIndex={-1} aria-label={`${server.name} is added`}>
      <p role="status" className={styles['line']}>
        <Icon name="check" />{' '}
        <strong>{showHidden(signedIn ? `Signed in to ${server.name}.` : summary)}</strong>
      </p>
      {secrets.length > 0 && (
        <p className={styles['meta']}>{counted(secrets.length, 'key')} went into the vault.</p>
      )}
      {signIn && <SignInAfter server={server} onDone={() => setSignedIn(true)} />}
      <div className={styles['row']}>
        <Link
          href={places.server(server.id, 'tools')}
          className={`${buttons['button']} ${signIn && !signedIn ? '' : buttons['primary']}`}
        >
          Try a tool
        </Link>
        <Button onClick={onAnother}>Add another</Button>
      </div>
    </section>
  );
}
