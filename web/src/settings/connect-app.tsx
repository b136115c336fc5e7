import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHub, type ClientView } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { UnifiedDiff } from '../parts/diff-view.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './settings.module.css';

interface ConnectAppProps {
  readonly client: ClientView;
  readonly onClose: () => void;
}

/** Shows what would change in an app's file, and writes it after a yes. It can be undone. */
export function ConnectApp({ client: { client, title, connected }, onClose }: ConnectAppProps): ReactNode {
  const hub = useHub();
  const toast = useToast();
  // As it was when the dialog opened: the list behind it changes with the click.
  const [what] = useState<'connect' | 'disconnect'>(connected ? 'disconnect' : 'connect');
  const { data: planned, error } = useHubQuery(['client-edit', client, what], (asked) =>
    asked.clients[what]({ client, dryRun: true }),
  );
  const changed = [keys.clients, keys.changes, keys.hosts];
  const undo = useHubAction((asked, change: string) => asked.changes.undo({ change }), changed);
  const write = useHubAction((asked) => asked.clients[what]({ client }), changed);
  const takeBack = async (): Promise<void> => {
    const [last] = await hub.changes.list();
    if (last?.kind === what) await undo.mutateAsync(last.id);
  };
  const go = (): void =>
    write.mutate(undefined, {
      onSuccess: () => {
        const does = (): void => void takeBack().catch((failed: unknown) => toast.bad(failed));
        toast.info(`${title} is ${what}ed.`, `Restart ${title} to load the change.`, {
          label: 'Undo',
          onClick: does,
        });
        onClose();
      },
    });
  const { change } = planned ?? {};
  const lines = change && [
    ...change.removed.map((line) => `-${line}`),
    ...change.added.map((line) => `+${line}`),
  ];
  return (
    <Dialog title={`${what === 'connect' ? 'Connect' : 'Disconnect'} ${title}`} open onClose={onClose} wide>
      {!planned && !error && (
        <p>
          <Spinner /> Comparing…
        </p>
      )}
      {planned && (
        <p>
          This changes <code>{showHidden(planned.file)}</code>. A copy is kept.
        </p>
      )}
      {lines && <UnifiedDiff text={lines.join('\n')} label={`Changes of ${title}`} />}
      {planned?.warnings.map((warning) => (
        <p key={warning}>▲ {showHidden(warning)}</p>
      ))}
      {(error ?? write.error) && <ErrorNote error={error ?? write.error} />}
      <footer className={styles['buttons']}>
        <Button look="primary" busy={write.isPending} disabled={!planned} onClick={go}>
          {what === 'connect' ? 'Connect' : 'Disconnect'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </footer>
    </Dialog>
  );
}
