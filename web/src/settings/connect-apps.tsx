import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ClientView } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { ConnectApp } from './connect-app.tsx';
import styles from './settings.module.css';

/** How any other app gets all servers through one entry. */
export function ConnectApps(): ReactNode {
  const { data: status } = useHubQuery(keys.status, (hub) => hub.status());
  const { data, error } = useHubQuery(keys.clients, (hub) => hub.clients.list(), {
    // Files of other apps change without an event.
    refetchOnMount: 'always',
  });
  const entry = data && { mcpServers: { plugboard: data.gateway } };
  return (
    <>
      <p className={styles['lead']}>
        Connect an app once, and it has all your servers, with your sign-ins and your approvals.
      </p>
      {error && <ErrorNote error={error} />}
      {!data && !error && (
        <p>
          <Spinner /> Looking for apps…
        </p>
      )}
      {data && data.clients.length === 0 && <p>No MCP apps found on this machine.</p>}
      {data && data.clients.length > 0 && (
        <ul className={styles['rows']} aria-label="Apps">
          {data.clients.map((client) => (
            <ClientRow key={client.client} client={client} />
          ))}
        </ul>
      )}
      {entry && (
        <Way title="Connect an app by hand" more="Put this into the app’s list of MCP servers.">
          {JSON.stringify(entry, undefined, 2)}
        </Way>
      )}
      {status?.url !== undefined && (
        <Way
          title="Connect by address"
          more="For apps on this machine that use HTTP. Each needs a token of its own: add it under Hosts."
        >
          {`${status.url}/mcp`}
        </Way>
      )}
    </>
  );
}

function ClientRow({ client }: { readonly client: ClientView }): ReactNode {
  const [open, setOpen] = useState(false);
  const { title, file, connected, problem } = client;
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{title}</strong> {connected && <Chip tone="good">✓ connected</Chip>}
        <p>
          <code>{showHidden(file)}</code>
        </p>
        {problem !== undefined && <p>▲ {showHidden(problem)}</p>}
      </div>
      <Button
        disabled={problem !== undefined}
        aria-label={`${connected ? 'Disconnect' : 'Connect'} ${title}`}
        onClick={() => setOpen(true)}
      >
        {connected ? 'Disconnect' : 'Connect…'}
      </Button>
      {open && <ConnectApp client={client} onClose={() => setOpen(false)} />}
    </li>
  );
}

interface WayProps {
  readonly title: string;
  readonly more: string;
  readonly children: string;
}

function Way({ title, more, children }: WayProps): ReactNode {
  return (
    <section className={styles['card']}>
      <h3>{title}</h3>
      <p className={styles['meta']}>{more}</p>
      <pre className={styles['code']} tabIndex={0} aria-label={title}>
        {children}
      </pre>
      <div>
        <CopyButton text={children} />
      </div>
    </section>
  );
}
