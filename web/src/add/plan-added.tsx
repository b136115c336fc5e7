import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { InstallOutcome } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { Icon } from '../parts/icon.tsx';
import { counted } from '../parts/words.ts';
import { toolsToTry } from '../servers/tools/tools-to-try.ts';
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
      <NextSteps server={server.id} mayTry={!signIn || signedIn} onAnother={onAnother} />
    </section>
  );
}

interface NextStepsProps {
  readonly server: string;
  /** What waits for a sign-in can't be tried yet. */
  readonly mayTry: boolean;
  readonly onAnother: () => void;
}

/** A tool that is one click from its first call, all of them, or the next server. */
function NextSteps({ server, mayTry, onAnother }: NextStepsProps): ReactNode {
  const { data, isPending } = useHubQuery(keys.tools(server), (hub) => hub.tools.audit({ server }));
  const tools = useMemo(() => (mayTry ? toolsToTry(data) : []), [mayTry, data]);
  // Buttons that come later would move those that somebody aims at.
  if (isPending) return null;
  return (
    <div className={styles['row']}>
      {tools.map(({ ref, name }, at) => (
        <Link
          key={ref}
          href={`${places.server(server, 'tools')}?try=${encodeURIComponent(name)}`}
          className={`${buttons['button']} ${at === 0 ? buttons['primary'] : ''}`}
        >
          Try {showHidden(name)}
        </Link>
      ))}
      <Link href={places.server(server, 'tools')} className={buttons['button'] ?? ''}>
        All tools
      </Link>
      <Button onClick={onAnother}>Add another</Button>
    </div>
  );
}
