import type { ReactNode } from 'react';
import { keys, useHubQuery } from '../hub/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import styles from './settings.module.css';

const ENTRY = JSON.stringify(
  { mcpServers: { plugboard: { command: 'plug', args: ['gateway'] } } },
  undefined,
  2,
);

/** How any other app gets all servers through one entry. */
export function ConnectApps(): ReactNode {
  const { data } = useHubQuery(keys.status, (hub) => hub.status());
  return (
    <>
      <p className={styles['lead']}>
        Add Plugboard to an app once, and the app has all your servers: with your sign-ins and your approvals.
      </p>
      <Way title="Let Plugboard write it" more="For Claude Code, Cursor, VS Code and others. In a terminal:">
        {'plug connect CLIENT'}
      </Way>
      <Way title="By hand" more="Put this into the app’s list of MCP servers.">
        {ENTRY}
      </Way>
      {data?.url !== undefined && (
        <Way
          title="By address"
          more="For apps that speak HTTP, on this machine. Each needs a token of its own: add it under Hosts."
        >
          {`${data.url}/mcp`}
        </Way>
      )}
    </>
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
      <pre className={styles['code']} tabIndex={0}>
        {children}
      </pre>
      <div>
        <CopyButton text={children} />
      </div>
    </section>
  );
}
