import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerEvent } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { When } from '../parts/when.tsx';
import { ServerFilter } from './call-filters.tsx';
import { useFilters } from './filters.ts';
import { useFreshEvents } from './use-fresh-events.ts';
import styles from './activity.module.css';

const PORTION = 100;

/** What became of the servers: connected, lost, failed, and by whom. */
export function EventLog(): ReactNode {
  const [{ server }, change] = useFilters();
  const [kind, setKind] = useState<ServerEvent['kind'] | ''>('');
  const [limit, setLimit] = useState(PORTION);
  useFreshEvents();
  const { data, error } = useHubQuery([...keys.events(), server, limit], (hub) =>
    hub.servers.events({ limit, ...(server === '' ? {} : { server }) }),
  );
  const shown = (data ?? []).filter((event) => kind === '' || event.kind === kind);
  return (
    <div className={styles['stack']}>
      <div className={styles['filters']} role="search" aria-label="Filter events">
        <ServerFilter value={server} onChange={(next) => change({ server: next })} />
        <Select label="Kind" value={kind} onChange={setKind} choices={KINDS} />
      </div>
      {error && <ErrorNote error={error} />}
      {data !== undefined && shown.length === 0 && (
        <EmptyState title="No events">When a server connects or fails, it shows up here.</EmptyState>
      )}
      {shown.length > 0 && (
        <ul className={styles['rows']} aria-label="Events">
          {shown.map((event) => (
            <li key={event.id} className={styles['event']}>
              <Chip tone={WORDS[event.kind].tone}>
                <span aria-hidden="true">{WORDS[event.kind].symbol}</span> {WORDS[event.kind].word}
              </Chip>
              <span className={styles['what']}>
                <Link href={places.server(event.server)}>{event.server}</Link>{' '}
                <span>{showHidden(event.reason)}</span>
              </span>
              <span className={styles['at']}>
                {event.by === 'USER' && 'by you · '}
                <When at={event.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.length === limit && (
        <div>
          <Button onClick={() => setLimit(limit + PORTION)}>Show older events</Button>
        </div>
      )}
    </div>
  );
}

const WORDS = {
  CONNECTED: { tone: 'good', symbol: '●', word: 'connected' },
  RECONNECTED: { tone: 'good', symbol: '●', word: 'connected again' },
  DISCONNECTED: { tone: 'quiet', symbol: '○', word: 'disconnected' },
  ERROR: { tone: 'bad', symbol: '✖', word: 'failed' },
  TOKEN_EXPIRED: { tone: 'warn', symbol: '◐', word: 'sign-in expired' },
} as const satisfies Record<ServerEvent['kind'], object>;

const KINDS: readonly { readonly value: ServerEvent['kind'] | ''; readonly label: string }[] = [
  { value: '', label: 'All kinds' },
  ...(Object.keys(WORDS) as ServerEvent['kind'][]).map((value) => ({ value, label: WORDS[value].word })), // its keys
];
