import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { useToast } from '../parts/toasts.tsx';
import { FieldChanges } from './field-changes.tsx';
import styles from './trust-server.module.css';

interface TrustServerProps {
  readonly server: ServerView;
  readonly onClose: () => void;
}

/** What an entry of a project's file would run, before it may. Trust goes to what is shown, by its fingerprint. */
export default function TrustServer({ server: now, onClose }: TrustServerProps): ReactNode {
  // As it was when the dialog opened: an entry that changes must not change under the person's click.
  const [server] = useState(now);
  const toast = useToast();
  // An entry that waits beside a server of this name is what is asked about: it is what would run.
  const { untrusted } = server.waiting ?? server;
  const name = showHidden(server.name);
  const trust = useHubAction(
    (hub, session: boolean) =>
      hub.servers.trust({
        id: server.id,
        session,
        ...(untrusted === undefined ? {} : { fingerprint: untrusted.fingerprint }),
      }),
    [keys.servers],
  );
  const agree = (session: boolean): void =>
    trust.mutate(session, {
      onSuccess: () => {
        toast.good(`You trust ${name}${session ? ' until the hub stops' : ''}.`);
        onClose();
      },
    });
  return (
    <Dialog title={`Trust ${name}?`} open onClose={onClose} wide>
      {untrusted === undefined ? (
        <p>Its read-only tools run without asking. Everything else still asks.</p>
      ) : (
        <>
          <p>
            {untrusted.changed
              ? 'Its entry changed since you trusted it. It stays off until you agree to the changes.'
              : 'It comes from a file of this project. Others can write it, so it stays off until you agree.'}
          </p>
          {server.waiting !== undefined && (
            <p className={styles['warning']}>▲ It would take the place of your own {name}.</p>
          )}
          <p className={styles['meta']}>{showHidden(untrusted.file)}</p>
          {untrusted.references.map(({ where, placeholder, says }) => (
            <p key={`${where} ${placeholder}`} className={styles['warning']}>
              ▲ {showHidden(says)}
            </p>
          ))}
          <FieldChanges changes={untrusted.diff} />
          <p className={styles['meta']}>
            Fingerprint <code>{untrusted.fingerprint.slice(0, 16)}</code>
          </p>
        </>
      )}
      {trust.error && <ErrorNote error={trust.error} />}
      <footer className={styles['foot']}>
        <Button onClick={onClose}>Not now</Button>
        {untrusted === undefined && (
          <Button busy={trust.isPending} onClick={() => agree(true)}>
            Until the hub stops
          </Button>
        )}
        <Button look="primary" busy={trust.isPending} onClick={() => agree(false)}>
          Trust {name}
        </Button>
      </footer>
    </Dialog>
  );
}
