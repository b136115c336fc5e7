import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { addFact, settle } from './talk.ts';
import styles from './setup.module.css';

interface RemoveCardProps {
  readonly id: string;
  readonly server: string;
  /** What would be forgotten with it, by name. */
  readonly credentials: readonly string[];
  readonly settled: string | undefined;
}

/** A server that would go, with what goes with it. */
export function RemoveCard({ id, server, credentials, settled }: RemoveCardProps): ReactNode {
  const [asked, setAsked] = useState(false);
  const remove = useHubAction(
    async (hub, given: string) => {
      // Only “undo” needs it: a server that cannot tell it is removed all the same.
      const definition = await hub.servers.definition({ id: given }).catch(() => undefined);
      await hub.servers.remove({ id: given });
      return definition;
    },
    [keys.servers],
  );
  const go = (): void =>
    remove.mutate(server, {
      onSuccess: (definition) => {
        settle(id, `${server} is removed.`);
        const forgotten = credentials.filter((name) => name.startsWith(`${server}/`));
        addFact(`${server} is removed.`, {
          kind: 'removed',
          server,
          forgotten,
          ...(definition && { definition }),
        });
      },
      onSettled: () => setAsked(false),
    });
  return (
    <section className={styles['card']} aria-label={`Remove ${server}`}>
      <h3>Remove {server}?</h3>
      <Credentials credentials={credentials} />
      {remove.error && <ErrorNote error={remove.error} />}
      <div>
        <Button look="danger" icon="trash" disabled={settled !== undefined} onClick={() => setAsked(true)}>
          {settled === undefined ? `Remove ${server}` : settled}
        </Button>
      </div>
      <Confirm
        title={`Remove ${server}?`}
        open={asked}
        onClose={() => setAsked(false)}
        does={`Remove ${server}`}
        onConfirm={go}
        busy={remove.isPending}
      >
        <p>It stops now, and its tools are no longer available.</p>
        <Credentials credentials={credentials} />
      </Confirm>
    </section>
  );
}

function Credentials({ credentials }: { readonly credentials: readonly string[] }): ReactNode {
  if (credentials.length === 0) return <p className={styles['meta']}>No key or sign-in is stored for it.</p>;
  return (
    <div>
      <p>These are deleted, too:</p>
      <ul>
        {credentials.map((name) => (
          <li key={name}>
            <code>{showHidden(name)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
