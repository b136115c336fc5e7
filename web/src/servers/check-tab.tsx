import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import { useHub, type DoctorRow, type ServerView } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { counted } from '../parts/words.ts';
import { CheckRow } from './check-row.tsx';
import styles from './check-tab.module.css';

/** Why a server is as it is: every step from cause to effect, and the button that mends it. */
export function CheckTab({ server }: { readonly server: ServerView }): ReactNode {
  const live = useSearch() === 'live';
  const { rows, running, error, run } = useCheck(server.id, live);
  const bad = rows.filter(({ status }) => status === 'fail').length;
  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <p role="status">
          {running ? (
            <>
              <Spinner /> Looking…
            </>
          ) : (
            verdict(rows, bad)
          )}
        </p>
        <span className={styles['buttons']}>
          <Button icon="retry" busy={running} onClick={() => run(false)}>
            Look again
          </Button>
          <Button busy={running} disabled={!server.enabled} onClick={() => run(true)}>
            Test now
          </Button>
        </span>
      </div>
      <p className={styles['meta']}>“Test now” starts the server and makes one read-only call.</p>
      {error !== undefined && <ErrorNote error={error} />}
      <ol className={styles['rows']}>
        {onceEach(rows).map((row) => (
          <CheckRow key={`${row.check} ${row.says}`} row={row} onMended={() => run(live)} />
        ))}
      </ol>
    </div>
  );
}

function verdict(rows: readonly DoctorRow[], bad: number): string {
  if (rows.length === 0) return '';
  if (bad > 0) return `✖ ${bad === 1 ? 'One thing is' : `${bad} things are`} wrong.`;
  return rows.some(({ status }) => status === 'warn') ? '▲ It works; have a look.' : '✓ Nothing is wrong.';
}

/** What waits for the same step is one line. */
function onceEach(rows: readonly DoctorRow[]): readonly DoctorRow[] {
  const waiting = new Map<string, number>();
  for (const { status, says } of rows) if (status === 'skip') waiting.set(says, (waiting.get(says) ?? 0) + 1);
  return rows.flatMap((row, index) => {
    const count = row.status === 'skip' ? (waiting.get(row.says) ?? 1) : 1;
    if (count === 1) return row;
    const isFirst = rows.findIndex(({ says }) => says === row.says) === index;
    return isFirst ? { ...row, says: `${row.says} (${counted(count, 'check')})` } : [];
  });
}

interface Check {
  readonly rows: readonly DoctorRow[];
  readonly running: boolean;
  readonly error: unknown;
  readonly run: (live: boolean) => void;
}

/** Rows come one by one, as they are found out; the last check that was asked for is shown. */
function useCheck(server: string, liveAtFirst: boolean): Check {
  const hub = useHub();
  const [wanted, setWanted] = useState({ live: liveAtFirst });
  const [rows, setRows] = useState<readonly DoctorRow[]>([]);
  const [running, setRunning] = useState(true);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    setRows([]);
    setError(undefined);
    setRunning(true);
    const onProgress = (row: DoctorRow): void => {
      if (!stop.signal.aborted && row.server === server) setRows((before) => [...before, row]);
    };
    const look = async (): Promise<void> => {
      try {
        await hub.doctor.run({ server, live: wanted.live }, { signal: stop.signal, onProgress });
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure);
      }
      if (!stop.signal.aborted) setRunning(false);
    };
    void look();
    return () => stop.abort();
  }, [hub, server, wanted]);
  const run = useCallback((live: boolean) => setWanted({ live }), []);
  return { rows, running, error, run };
}
