import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { reasonOf } from '../hub/server-names.ts';
import buttons from '../parts/button.module.css';
import { Fold } from '../parts/fold.tsx';
import { counted } from '../parts/words.ts';
import { attentionOf, type Repair } from './repair.ts';
import { PlaceForm } from './place-form.tsx';
import { InstallSteps, RepairStep, reviewPlace } from './repair-step.tsx';
import { useRepair } from './use-repair.ts';
import { ValuesForm } from './values-form.tsx';
import styles from './repair.module.css';

interface RepairPanelProps {
  readonly server: ServerView;
  /** The tab that is open: what is mended there is not shown twice. */
  readonly tab: string;
}

/** On top of a server: how it is, the one form that mends it, and the details behind it. */
export function RepairPanel({ server, tab }: RepairPanelProps): ReactNode {
  const repair = useRepair(server);
  const isDoneHere = repair.form === 'sign-in' && tab === 'accounts';
  return (
    <>
      <section className={styles['panel']} data-attention={attentionOf(server) ?? 'none'} aria-label="State">
        <p className={styles['reason']} role="status">
          {reasonOf(server)}
        </p>
        {repair.form !== 'review' && !isDoneHere && <RepairForm server={server} repair={repair} />}
        <Details server={server} />
      </section>
      <ReviewBanner server={server} />
    </>
  );
}

function RepairForm({ server, repair }: { readonly server: ServerView; readonly repair: Repair }): ReactNode {
  if (repair.form === 'none') return null;
  if (repair.form === 'values') return <ValuesForm server={server} repair={repair} />;
  if (repair.form === 'folder' || repair.form === 'port')
    return <PlaceForm server={server} repair={repair} />;
  if (repair.form === 'file') return <InFile server={server} repair={repair} />;
  return (
    <>
      {repair.form === 'install' && <InstallSteps repair={repair} />}
      <div className={styles['steps']}>
        <RepairStep server={server} repair={repair} />
      </div>
    </>
  );
}

/** Files are the user's: the hub reads them again as soon as they are saved. */
function InFile({
  server,
  repair: { file, names },
}: {
  readonly server: ServerView;
  readonly repair: Extract<Repair, { form: 'file' }>;
}): ReactNode {
  return (
    <p>
      Change {names.length === 0 ? 'its entry' : <code>{showHidden(names.join(', '))}</code>} in{' '}
      <code>{showHidden(file)}</code>, under <code>{showHidden(server.id)}</code>. It starts again as soon as
      you save.
    </p>
  );
}

/** What must be looked at, however the server is; one click leads to the diff. */
function ReviewBanner({ server: { id, review } }: { readonly server: ServerView }): ReactNode {
  if (review === undefined) return null;
  return (
    <p className={styles['review']}>
      <span>▲ {reviewWords(review)}</span>
      <Link href={reviewPlace(id, review.tool)} className={buttons['button'] ?? ''}>
        Review
      </Link>
    </p>
  );
}

/** “2 changed tools and 1 flagged tool need review”. */
function reviewWords({ changed, flagged }: NonNullable<ServerView['review']>): string {
  const parts = [
    changed > 0 && counted(changed, 'changed tool'),
    flagged > 0 && counted(flagged, 'flagged tool'),
  ].filter((part) => part !== false);
  return `${parts.join(' and ')} ${changed + flagged === 1 ? 'needs' : 'need'} review`;
}

function Details({ server: { id, state } }: { readonly server: ServerView }): ReactNode {
  if (state.kind !== 'failed') return null;
  const { stderr = [], exitCode, exitSignal, missingCommand } = state;
  const facts = [
    exitCode !== undefined && `Exit code ${exitCode}`,
    exitSignal !== undefined && `Ended by ${exitSignal}`,
    missingCommand !== undefined && `Command: ${missingCommand}`,
    ...stderr,
  ].filter((line) => line !== false);
  return (
    <Fold label="Details">
      {facts.length > 0 && (
        <pre className={styles['details']} tabIndex={0} aria-label="Last output">
          {showHidden(facts.join('\n'))}
        </pre>
      )}
      <p className={styles['steps']}>
        <Link href={places.server(id, 'check')}>Check each step</Link>
        <Link href={places.server(id, 'logs')}>Open log</Link>
      </p>
    </Fold>
  );
}
