import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { DoctorCheck, DoctorRow, ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { Chip } from '../parts/chip.tsx';
import { WHOSE } from '../parts/error-note.tsx';
import { Fold } from '../parts/fold.tsx';
import type { Tone } from '../parts/state-badge.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './check-tab.module.css';

interface CheckRowProps {
  readonly row: DoctorRow;
  readonly server: ServerView;
  /** Something was mended: look again. */
  readonly onMended: () => void;
}

/** One step: how it stands, what it rests on, whose move it is, and the button. */
export function CheckRow({ row, server, onMended }: CheckRowProps): ReactNode {
  const { tone, word } = STATUS[row.status];
  const wrong = row.status === 'fail' || row.status === 'warn';
  return (
    <li className={styles['row']} data-status={row.status}>
      <Chip tone={tone}>{word}</Chip>
      <div className={styles['words']}>
        <p>{showHidden(row.says)}</p>
        {wrong && row.owner !== undefined && <p className={styles['meta']}>{WHOSE[row.owner]}</p>}
        {row.details !== undefined && row.details.length > 0 && (
          <Fold label="What this rests on" open={row.status === 'fail'}>
            <pre className={styles['details']} tabIndex={0} aria-label="What this rests on">
              {showHidden(row.details.join('\n'))}
            </pre>
          </Fold>
        )}
        {wrong && row.fix !== undefined && <Fix fix={row.fix} onMended={onMended} />}
        {wrong && row.fix === undefined && <Next row={row} server={server} />}
      </div>
    </li>
  );
}

const STATUS: Readonly<Record<DoctorRow['status'], { readonly tone: Tone; readonly word: string }>> = {
  pass: { tone: 'good', word: '✓ PASS' },
  warn: { tone: 'warn', word: '▲ WARN' },
  fail: { tone: 'bad', word: '✖ FAIL' },
  skip: { tone: 'quiet', word: '– SKIP' },
};

interface FixProps {
  readonly fix: NonNullable<DoctorRow['fix']>;
  readonly onMended: () => void;
}

function Fix({ fix, onMended }: FixProps): ReactNode {
  const toast = useToast();
  const mend = useHubAction((hub) => hub.doctor.fix({ fixes: [fix.id] }), [keys.servers]);
  const say = (): void =>
    mend.mutate(undefined, {
      onError: (error) => toast.bad(error),
      onSuccess: ([outcome]) => {
        if (outcome?.done === true) toast.good(outcome.says);
        else toast.info('Not mended', outcome?.says);
        onMended();
      },
    });
  return (
    <Button look="primary" busy={mend.isPending} onClick={say}>
      {showHidden(fix.says)}
    </Button>
  );
}

/** The tab where the next step is made; a step outside of the page is told in words. */
function Next({ row, server }: Pick<CheckRowProps, 'row' | 'server'>): ReactNode {
  const place = PLACES[row.check];
  if (place !== undefined && row.owner !== 'network') {
    return (
      <Link href={places.server(server.id, place.tab)} className={buttons['button'] ?? ''}>
        {place.label}
      </Link>
    );
  }
  if (row.next === undefined) return null;
  return (
    <p className={styles['meta']}>
      Next: <code>{showHidden(row.next)}</code>
    </p>
  );
}

const PLACES: Readonly<Partial<Record<DoctorCheck, { readonly tab: string; readonly label: string }>>> = {
  config: { tab: 'config', label: 'Edit it' },
  variables: { tab: 'config', label: 'Fill it in' },
  command: { tab: 'config', label: 'Edit it' },
  endpoint: { tab: 'config', label: 'Edit the address' },
  stderr: { tab: 'logs', label: 'See the log' },
  spawn: { tab: 'logs', label: 'See the log' },
  handshake: { tab: 'logs', label: 'See the log' },
  auth: { tab: 'accounts', label: 'Sign in' },
  tools: { tab: 'tools', label: 'Look at its tools' },
  pins: { tab: 'tools', label: 'Review changes' },
};
