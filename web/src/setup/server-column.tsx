import { reasonOf } from '../hub/server-names.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { useServers } from '../hub/queries.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { counted } from '../parts/words.ts';
import styles from './setup.module.css';

const ROW_PX = 48;

/** The servers as they are now: what needs somebody comes first. */
export function ServerColumn(): ReactNode {
  const { data, error } = useServers();
  const scroller = useRef<HTMLDivElement>(null);
  const servers = (data?.servers ?? []).toSorted((a, b) => rank(a) - rank(b));
  const rows = useVirtualizer({
    count: servers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  return (
    <section className={styles['servers']} aria-label="Servers">
      <h2>{data === undefined ? 'Servers' : counted(servers.length, 'server')}</h2>
      {error && <ErrorNote error={error} />}
      {data !== undefined && servers.length === 0 && (
        <p className={styles['meta']}>None yet. What you agree to in the conversation shows up here.</p>
      )}
      <div
        ref={scroller}
        className={styles['scroller']}
        tabIndex={0}
        role="region"
        aria-label="List of servers"
      >
        <ul className={styles['list']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const server = servers[index];
            return server && <Row key={server.id} server={server} start={start} />;
          })}
        </ul>
      </div>
    </section>
  );
}

const Row = memo(function Row({
  server,
  start,
}: {
  readonly server: ServerView;
  readonly start: number;
}): ReactNode {
  const { id, name, state, toolsOffered } = server;
  const isFine = state.kind === 'ready' || state.kind === 'asleep';
  return (
    <li className={styles['server']} style={{ transform: `translateY(${start}px)` }}>
      <Link href={places.server(id)} className={styles['way']}>
        <span className={styles['name']}>{showHidden(name)}</span>
        <StateBadge state={state} />
        <span className={styles['why']}>{isFine ? counted(toolsOffered, 'tool') : reasonOf(server)}</span>
      </Link>
    </li>
  );
});

function rank({ state }: ServerView): number {
  return ORDER.indexOf(state.kind);
}

const ORDER: readonly ServerView['state']['kind'][] = [
  'failed',
  'needs-sign-in',
  'needs-input',
  'quarantined',
  'degraded',
  'starting',
  'ready',
  'asleep',
  'disabled',
];
