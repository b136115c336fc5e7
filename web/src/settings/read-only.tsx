import type { ReactNode } from 'react';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Switch } from '../parts/switch.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './settings.module.css';

/** One switch for every server, app and conversation. */
export function ReadOnlyPart(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(keys.settings, (hub) => hub.settings.get());
  const change = useHubAction(
    (hub, readOnly: boolean) => hub.settings.change({ readOnly }),
    [keys.settings, keys.status, keys.servers],
  );
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  return (
    <>
      <Switch
        label="Read-only mode"
        checked={data.readOnly}
        disabled={change.isPending}
        onChange={(on) => change.mutate(on, { onError: (failed) => toast.bad(failed) })}
        shown
      />
      <p className={styles['meta']}>
        While it’s on, only read-only tools are listed and run: here, in the terminal and in every app. It
        overrides grants, trust and approvals. Tools of unknown risk count as writes.
      </p>
    </>
  );
}
