import { useRef, useState, type ReactNode } from 'react';
import { useHub, type DoctorReport, type DoctorRow } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { Switch } from '../parts/switch.tsx';
import { counted } from '../parts/words.ts';
import { DoctorFinding } from './doctor-finding.tsx';
import styles from './settings.module.css';

/** Looks at everything, from cause to effect; rows come as they are found. */
export function DoctorPart(): ReactNode {
  const { rows, report, error, running, start, stop } = useDoctor();
  const [live, setLive] = useState(false);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.filter(({ status }) => status === 'warn' || status === 'fail');
  return (
    <>
      <p className={styles['lead']}>Finds problems. It changes nothing and calls no tool.</p>
      <div className={styles['buttons']}>
        {running ? (
          <Button icon="stop" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button look="primary" onClick={() => start(live)}>
            {report === undefined ? 'Check everything' : 'Check again'}
          </Button>
        )}
        <Switch label="Also start each server" checked={live} onChange={setLive} disabled={running} shown />
        <Switch label="Show passed checks" checked={all} onChange={setAll} shown />
      </div>
      <p role="status" className={styles['meta']}>
        {running && (
          <>
            <Spinner /> {counted(rows.length, 'check')} so far…
          </>
        )}
        {!running && report !== undefined && summaryOf(report)}
      </p>
      {error !== undefined && <ErrorNote error={error} />}
      {shown.length > 0 && (
        <ul className={styles['rows']} aria-label="Findings">
          {shown.map((row) => (
            <DoctorFinding
              key={`${row.server ?? ''} ${row.check} ${row.says}`}
              row={row}
              onFixed={() => start(live)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function summaryOf({ counts }: DoctorReport): string {
  if (counts.fail + counts.warn === 0) return `All checks passed: ${counted(counts.pass, 'check')} passed.`;
  return `${counts.fail} failed, ${counted(counts.warn, 'warning')}, ${counts.pass} fine.`;
}

interface Doctor {
  readonly rows: readonly DoctorRow[];
  readonly report: DoctorReport | undefined;
  readonly error: unknown;
  readonly running: boolean;
  readonly start: (live: boolean) => void;
  readonly stop: () => void;
}

function useDoctor(): Doctor {
  const hub = useHub();
  const [rows, setRows] = useState<readonly DoctorRow[]>([]);
  const [report, setReport] = useState<DoctorReport | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [running, setRunning] = useState(false);
  const run = useRef<AbortController | undefined>(undefined);
  const start = async (live: boolean): Promise<void> => {
    run.current?.abort();
    const mine = new AbortController();
    run.current = mine;
    setRows([]);
    setError(undefined);
    setRunning(true);
    const onProgress = (row: DoctorRow): void => {
      if (!mine.signal.aborted) setRows((now) => [...now, row]);
    };
    try {
      const made = await hub.doctor.run(live ? { live } : {}, { signal: mine.signal, onProgress });
      if (run.current !== mine) return;
      setReport(made);
      setRows(made.rows);
    } catch (failed) {
      if (!mine.signal.aborted) setError(failed);
    }
    if (run.current === mine) setRunning(false);
  };
  return {
    rows,
    report,
    error,
    running,
    start: (live) => void start(live),
    stop: () => run.current?.abort(),
  };
}
