import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { DoctorRow } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Fold } from '../parts/fold.tsx';
import { RemedyStep } from '../parts/remedy-step.tsx';
import type { Tone } from '../parts/state-badge.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './check-tab.module.css';

interface CheckRowProps {
  readonly row: DoctorRow;
  /** Something was mended: look again. */
  readonly onMended: () => void;
}

/** One step: how it stands, the evidence, and the button. */
export function CheckRow({ row, onMended }: CheckRowProps): ReactNode {
  const { tone, word } = STATUS[row.status];
  const wrong = row.status === 'fail' || row.status === 'warn';
  return (
    <li className={styles['row']} data-status={row.status}>
      <Chip tone={tone}>{word}</Chip>
      <div className={styles['words']}>
        <p>{showHidden(row.says)}</p>
        {row.details !== undefined && row.details.length > 0 && (
          <Fold label="Evidence" open={row.status === 'fail'}>
            <pre className={styles['details']} tabIndex={0} aria-label="Evidence">
              {showHidden(row.details.join('\n'))}
            </pre>
          </Fold>
        )}
        {wrong && row.fix !== undefined && <Fix fix={row.fix} onMended={onMended} />}
        {wrong && row.fix === undefined && <Next row={row} />}
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

/** What mends it; and the log, for a step that went wrong in the server itself. */
function Next({ row: { check, server, remedy } }: { readonly row: DoctorRow }): ReactNode {
  const hasLog = server !== undefined && LOGGED.has(check) && remedy?.do !== 'show-logs';
  return (
    <p className={styles['buttons']}>
      {remedy !== undefined && <RemedyStep remedy={remedy} />}
      {hasLog && <RemedyStep remedy={{ do: 'show-logs', server }} />}
    </p>
  );
}

const LOGGED: ReadonlySet<DoctorRow['check']> = new Set(['spawn', 'stderr', 'handshake']);
