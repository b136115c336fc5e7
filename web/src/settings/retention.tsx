import { useState, type ReactNode } from 'react';
import type { Settings } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './settings.module.css';

/** For how long things are kept. */
export function RetentionPart(): ReactNode {
  const { data, error } = useHubQuery(keys.settings, (hub) => hub.settings.get());
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  return (
    <>
      <RetentionForm key={JSON.stringify(data.retention)} settings={data} />
      {data.remoteOnly && (
        <p className={styles['meta']}>This hub accepts only remote servers (PLUG_REMOTE_ONLY).</p>
      )}
    </>
  );
}

function RetentionForm({ settings: { retention } }: { readonly settings: Settings }): ReactNode {
  const toast = useToast();
  const [calls, setCalls] = useState(String(retention.callDays));
  const [results, setResults] = useState(String(retention.resultDays));
  const change = useHubAction(
    (hub, days: { readonly callDays: number; readonly resultDays: number }) =>
      hub.settings.change({ retention: days }),
    [keys.settings],
  );
  const given = { callDays: Number(calls), resultDays: Number(results) };
  const fits = [calls, results].every(
    (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= DAYS_MAX,
  );
  const same = given.callDays === retention.callDays && given.resultDays === retention.resultDays;
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(given, { onSuccess: () => toast.good('Saved') });
      }}
    >
      <div className={styles['two']}>
        <TextField
          label="Keep calls for (days)"
          inputMode="numeric"
          value={calls}
          onChange={setCalls}
          hint="Who called what, and why it was allowed."
        />
        <TextField
          label="Keep large results for (days)"
          inputMode="numeric"
          value={results}
          onChange={setResults}
          hint="Large results that were stored."
        />
      </div>
      {!fits && <p className={styles['warn']}>Give whole days, from 1 to {DAYS_MAX.toLocaleString('en')}.</p>}
      {change.error && <ErrorNote error={change.error} />}
      <div>
        <Button type="submit" look="primary" disabled={!fits || same} busy={change.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

const DAYS_MAX = 3_650;
