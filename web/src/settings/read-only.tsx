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
        While it is on, only tools that are known to read are offered, and run: here, in a terminal and in
        every app. No grant, trust or approval goes before it. A tool whose risk is not known counts as one
        that writes.
      </p>
    </>
  );
}
