import { useState, type ReactNode } from 'react';
import type { AddedHost, HostView, NewHost } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { useToast } from '../parts/toasts.tsx';
import { When } from '../parts/when.tsx';
import { HostForm } from './host-form.tsx';
import styles from './settings.module.css';

/** Apps that come by address, each with a token that opens the gateway and nothing else. */
export function Hosts(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(keys.hosts, (hub) => hub.hosts.list(), {
    // No event tells that a terminal has added one.
    refetchOnMount: 'always',
  });
  const add = useHubAction((hub, host: NewHost) => hub.hosts.add(host), [keys.hosts]);
  const revoke = useHubAction((hub, name: string) => hub.hosts.revoke({ name }), [keys.hosts]);
  const [added, setAdded] = useState<AddedHost | undefined>(undefined);
  if (error) return <ErrorNote error={error} />;
  const takeBack = ({ name }: HostView): void =>
    revoke.mutate(name, {
      onError: (failed) => toast.bad(failed),
      onSuccess: () => {
        if (added?.host.name === name) setAdded(undefined);
        toast.info(`Revoked the token of ${name}`);
      },
    });
  return (
    <>
      <p className={styles['lead']}>
        An app that connects by URL has its own token. The token gives access to tools only, not to settings
        or approvals.
      </p>
      {data !== undefined && data.length > 0 && (
        <ul className={styles['rows']} aria-label="Hosts">
          {data.map((host) => (
            <li key={host.name} className={styles['row']}>
              <div className={styles['what']}>
                <strong>{host.name}</strong> {host.readOnly === true && <Chip>reads only</Chip>}
                <p>
                  {host.profile === undefined ? 'All servers' : `Profile ${host.profile}`} · added{' '}
                  <When at={host.createdAt} /> · {lastUsed(host)}
                </p>
              </div>
              <Button look="quiet" aria-label={`Revoke ${host.name}`} onClick={() => takeBack(host)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {added && <NewToken added={added} />}
      <HostForm onAdd={async (host) => setAdded(await add.mutateAsync(host))} />
    </>
  );
}

function lastUsed({ lastUsedAt }: HostView): ReactNode {
  if (lastUsedAt === undefined) return 'never used';
  return (
    <>
      used <When at={lastUsedAt} />
    </>
  );
}

/** The one time that it is seen. */
function NewToken({ added: { host, token } }: { readonly added: AddedHost }): ReactNode {
  const { data } = useHubQuery(keys.status, (hub) => hub.status());
  const entry = JSON.stringify(
    {
      mcpServers: {
        plugboard: {
          type: 'http',
          url: `${data?.url ?? ''}/mcp`,
          headers: { Authorization: `Bearer ${token}` },
        },
      },
    },
    undefined,
    2,
  );
  return (
    <section className={styles['card']} aria-label={`Token of ${host.name}`}>
      <h3>{host.name} is added</h3>
      <p className={styles['meta']}>
        Copy its token now: it’s shown only once. Add this to the app’s MCP servers.
      </p>
      <pre className={styles['code']} tabIndex={0}>
        {entry}
      </pre>
      <div className={styles['buttons']}>
        <CopyButton text={entry} />
        <CopyButton text={token} label="Copy the token" />
      </div>
    </section>
  );
}
