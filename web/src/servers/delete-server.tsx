import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerCredentials, ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useToast } from '../parts/toasts.tsx';
import { removeServer, undoRemovals } from './removals.ts';
import styles from './delete-server.module.css';

interface DeleteServerProps {
  readonly server: ServerView;
  readonly onClose: () => void;
}

/** Asks before a server goes, and names what goes with it. */
export default function DeleteServer({ server, onClose }: DeleteServerProps): ReactNode {
  const toast = useToast();
  const [location, go] = useLocation();
  const name = showHidden(server.name);
  // Not below the server's own key: what is gone must not be asked for again.
  const { data: kept } = useHubQuery(['credentials', server.id], (hub) =>
    hub.servers.credentials({ id: server.id }),
  );
  const removal = useHubAction(removeServer, [keys.servers, keys.changes]);
  const restoring = useHubAction(undoRemovals, [keys.servers, keys.changes, ['server']]);
  const remove = async (): Promise<void> => {
    // The drawer goes first: it would ask for the tools of a server that is not there.
    if (location.startsWith(places.server(server.id))) go(places.servers, { replace: true });
    try {
      const change = await removal.mutateAsync(server.id);
      const undo = change !== undefined && {
        label: 'Undo',
        onClick: () => restoring.mutate([change], { onError: (error) => toast.bad(error) }),
      };
      toast.info(`${name} is removed.`, forgotten(kept), undo || undefined);
    } catch (error) {
      toast.bad(error);
    }
    onClose();
  };
  return (
    <Confirm
      title={`Remove ${name}?`}
      open
      onClose={onClose}
      does={`Remove ${name}`}
      onConfirm={() => void remove()}
      busy={removal.isPending || kept === undefined}
    >
      <p>It stops now, and its tools are no longer available. Its past calls stay in Activity.</p>
      {kept && <Kept kept={kept} />}
    </Confirm>
  );
}

function Kept({ kept }: { readonly kept: ServerCredentials }): ReactNode {
  if (kept.secrets.length === 0 && kept.accounts.length === 0)
    return <p>No key or sign-in is stored for it.</p>;
  return (
    <>
      <p>These are deleted, too:</p>
      <ul className={styles['kept']}>
        {kept.secrets.map((secret) => (
          <li key={secret}>
            Key <code>{showHidden(secret)}</code>
          </li>
        ))}
        {kept.accounts.map(({ account, displayName }) => (
          <li key={account}>
            Sign-in of <strong>{showHidden(displayName ?? account)}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}

function forgotten(kept: ServerCredentials | undefined): string | undefined {
  if ((kept?.accounts.length ?? 0) > 0) return 'Its keys are deleted, and its sign-ins revoked.';
  return (kept?.secrets.length ?? 0) === 0 ? undefined : 'Its keys are deleted.';
}
