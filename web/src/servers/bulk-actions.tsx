import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { toPlugError } from '../../../src/base/errors.ts';
import { useHub, type Hub, type ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { useToast } from '../parts/toasts.tsx';
import { counted } from '../parts/words.ts';
import { isOurs } from './kept-here.ts';
import { removeServer, undoRemovals } from './removals.ts';
import styles from './selection.module.css';

interface BulkActionsProps {
  readonly selected: readonly ServerView[];
  readonly onSelectAll: () => void;
  readonly onEnd: () => void;
}

type Act = (servers: Hub['servers'], id: string) => Promise<unknown>;

/** What can be done with several servers at once; those that it does not fit are left alone. */
export default function BulkActions({ selected, onSelectAll, onEnd }: BulkActionsProps): ReactNode {
  const hub = useHub();
  const { run, busy } = useBulk();
  const [removing, setRemoving] = useState(false);
  const on = selected.filter(({ enabled }) => enabled);
  const off = selected.filter(({ enabled, untrusted }) => !enabled && untrusted === undefined);
  const ours = selected.filter(isOurs);
  const turnOn: Act = (servers, id) => servers.enable({ id });
  const turnOff: Act = (servers, id) => servers.disable({ id });
  const remove = async (): Promise<void> => {
    const changes: string[] = [];
    await run(
      ours,
      async (_, id) => {
        const change = await removeServer(hub, id);
        if (change !== undefined) changes.push(change);
      },
      'removed',
      () => undoRemovals(hub, changes.splice(0)),
    );
    setRemoving(false);
    onEnd();
  };
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Selected servers">
      <p role="status">{selected.length} selected</p>
      <Button look="quiet" onClick={onSelectAll}>
        Select all
      </Button>
      <Button
        disabled={off.length === 0}
        busy={busy}
        onClick={() => void run(off, turnOn, 'turned on', turnOff)}
      >
        Turn on
      </Button>
      <Button
        disabled={on.length === 0}
        busy={busy}
        onClick={() => void run(on, turnOff, 'turned off', turnOn)}
      >
        Turn off
      </Button>
      <Button
        icon="retry"
        disabled={on.length === 0}
        busy={busy}
        onClick={() => void run(on, (servers, id) => servers.restart({ id }), 'restarted')}
      >
        Restart
      </Button>
      <Button
        icon="trash"
        look="danger"
        disabled={ours.length === 0}
        busy={busy}
        onClick={() => setRemoving(true)}
      >
        Remove…
      </Button>
      <Button onClick={onEnd}>Done</Button>
      {removing && (
        <Confirm
          title={`Remove ${counted(ours.length, 'server')}?`}
          open
          onClose={() => setRemoving(false)}
          does={`Remove ${counted(ours.length, 'server')}`}
          busy={busy}
          onConfirm={() => void remove()}
        >
          <p>{ours.map(({ name }) => showHidden(name)).join(', ')}</p>
          <p>
            Their stored keys are deleted, and their sign-ins revoked. Undo brings the servers and their keys
            back, for 30 days.
          </p>
        </Confirm>
      )}
    </div>
  );
}

const UNDONE: Readonly<Record<string, string>> = { 'turned on': 'turned off', 'turned off': 'turned on' };

interface Bulk {
  readonly run: (servers: readonly ServerView[], act: Act, did: string, back?: Act) => Promise<void>;
  readonly busy: boolean;
}

/** One after the other; a server that fails doesn't stop the rest. */
function useBulk(): Bulk {
  const hub = useHub();
  const toast = useToast();
  const { mutateAsync, isPending } = useHubAction((_, work: () => Promise<void>) => work(), [keys.servers]);
  const run: Bulk['run'] = (servers, act, did, back) =>
    mutateAsync(async () => {
      const failed: string[] = [];
      const done: ServerView[] = [];
      for (const server of servers) {
        try {
          await act(hub.servers, server.id);
          done.push(server);
        } catch (error) {
          failed.push(`${server.name}: ${toPlugError(error).message}`);
        }
      }
      const undo = back && { label: 'Undo', onClick: () => void run(done, back, UNDONE[did] ?? 'restored') };
      const title = `${counted(done.length, 'server')} ${did}`;
      toast.info(title, failed.map(showHidden).join(' ') || undefined, done.length === 0 ? undefined : undo);
    });
  return { run, busy: isPending };
}
