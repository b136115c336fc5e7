import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { DoctorRow } from '../hub/hub-context.tsx';
import { useServerNames } from '../hub/server-names.ts';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Fold } from '../parts/fold.tsx';
import { RemedyStep } from '../parts/remedy-step.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './settings.module.css';

interface DoctorFindingProps {
  readonly row: DoctorRow;
  readonly onFixed: () => void;
}

/** One finding: what it is, and the button that makes the next step. */
export function DoctorFinding({ row, onFixed }: DoctorFindingProps): ReactNode {
  const nameOf = useServerNames();
  const { server, status, says, details = [], remedy, fix } = row;
  const { tone, symbol, word } = STATUS[status];
  return (
    <li className={styles['row']}>
      <Chip tone={tone}>
        <span aria-hidden="true">{symbol}</span> {word}
      </Chip>
      <div className={styles['what']}>
        {server !== undefined && <Link href={places.server(server)}>{nameOf(server)}</Link>}{' '}
        {showHidden(says)}
        {details.length > 0 && (
          <Fold label="Details">
            <pre className={styles['code']} tabIndex={0}>
              {showHidden(details.join('\n'))}
            </pre>
          </Fold>
        )}
      </div>
      {fix !== undefined && <FixButton fix={fix} onFixed={onFixed} />}
      {fix === undefined && remedy !== undefined && status !== 'pass' && <RemedyStep remedy={remedy} />}
    </li>
  );
}

function FixButton({
  fix,
  onFixed,
}: {
  readonly fix: NonNullable<DoctorRow['fix']>;
  readonly onFixed: () => void;
}): ReactNode {
  const toast = useToast();
  const act = useHubAction((hub, id: string) => hub.doctor.fix({ fixes: [id] }), [[]]);
  const go = (): void =>
    act.mutate(fix.id, {
      onError: (error) => toast.bad(error),
      onSuccess: ([outcome]) => {
        if (outcome === undefined) return;
        if (outcome.done) toast.good(outcome.says);
        else toast.info('It could not be fixed', outcome.says);
        onFixed();
      },
    });
  return (
    <Button onClick={go} busy={act.isPending}>
      {showHidden(fix.says)}
    </Button>
  );
}

const STATUS = {
  pass: { tone: 'good', symbol: '✓', word: 'fine' },
  warn: { tone: 'warn', symbol: '▲', word: 'warning' },
  fail: { tone: 'bad', symbol: '✖', word: 'failed' },
  skip: { tone: 'quiet', symbol: '–', word: 'not checked' },
} as const;
