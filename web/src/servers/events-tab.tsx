import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerEvent, ServerView } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Chip } from '../parts/chip.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { STATES, type Tone } from '../parts/state-badge.tsx';
import { When } from '../parts/when.tsx';
import styles from './events-tab.module.css';

/** What happened to the connection, newest first. */
export function EventsTab({ server }: { readonly server: ServerView }): ReactNode {
  const { data, error } = useHubQuery(keys.events(server.id), (hub) =>
    hub.servers.events({ server: server.id, limit: SHOWN_MAX }),
  );
  if (error) return <ErrorNote error={error} />;
  if (data?.length === 0) {
    return (
      <EmptyState title="No events yet">
        <p>Connections, failures and sign-ins are kept here with their causes.</p>
      </EmptyState>
    );
  }
  const newest = (data ?? []).toSorted((a, b) => b.at - a.at);
  return (
    <ol className={styles['events']}>
      {newest.map((event) => (
        <Event key={event.id} event={event} />
      ))}
    </ol>
  );
}

const SHOWN_MAX = 200;

function Event({ event }: { readonly event: ServerEvent }): ReactNode {
  const { tone, word } = KINDS[event.kind];
  return (
    <li className={styles['event']}>
      <p className={styles['head']}>
        <Chip tone={tone} title={event.kind}>
          <span aria-hidden="true">{STATES[event.state].symbol}</span> {word}
        </Chip>
        <span className={styles['meta']}>
          {BY[event.by]} · <When at={event.at} />
        </span>
      </p>
      <p>{showHidden(event.reason)}</p>
    </li>
  );
}

const KINDS: Readonly<Record<ServerEvent['kind'], { readonly tone: Tone; readonly word: string }>> = {
  CONNECTED: { tone: 'good', word: 'connected' },
  RECONNECTED: { tone: 'good', word: 'connected again' },
  DISCONNECTED: { tone: 'quiet', word: 'disconnected' },
  TOKEN_EXPIRED: { tone: 'warn', word: 'sign-in needed' },
  ERROR: { tone: 'bad', word: 'error' },
};

const BY: Readonly<Record<ServerEvent['by'], string>> = {
  USER: 'by you',
  SYSTEM: 'automatically',
  WEBHOOK: 'from outside',
};
