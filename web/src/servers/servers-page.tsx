import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { whenIdle } from '../frame/when-idle.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { Select } from '../parts/select.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { useAfterPaint } from '../parts/use-after-paint.ts';
import { FirstServer } from './first-server.tsx';
import { FILTERS, inSections, matching, overallLine, type StateFilter } from './order.ts';
import { SearchField } from './search-field.tsx';
import { SelectionProvider } from './selection.tsx';
import { ServerGrid } from './server-grid.tsx';
import styles from './servers-page.module.css';

const loadDrawer = (): Promise<typeof import('./server-drawer.tsx')> => import('./server-drawer.tsx');
const ServerDrawer = lazy(loadDrawer);
const BulkActions = lazy(() => import('./bulk-actions.tsx'));

/** All servers, and beside them the one that the address names. */
export function ServersPage(): ReactNode {
  const { id, tab } = useParams<{ readonly id?: string; readonly tab?: string }>();
  const [, go] = useLocation();
  const { data, error, refetch } = useServers();
  const server = data?.servers.find((each) => each.id === id);
  const isThere = data !== undefined;
  // The first card that is opened should not wait for what opens it.
  useEffect(() => (isThere ? whenIdle(() => void loadDrawer()) : undefined), [isThere]);
  return (
    <div className={styles['page']}>
      <Page title="Servers" actions={<AddLink />}>
        {error && (
          <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
        )}
        {!data && !error && (
          <p>
            <Spinner /> Looking at your servers…
          </p>
        )}
        {data?.servers.length === 0 && <FirstServer />}
        {data && data.servers.length > 0 && <Servers servers={data.servers} chosen={id} />}
      </Page>
      {id !== undefined && data && (
        <Suspense>
          <ServerDrawer key={id} id={id} server={server} tab={tab} onClose={() => go(places.servers)} />
        </Suspense>
      )}
    </div>
  );
}

interface ServersProps {
  readonly servers: readonly ServerView[];
  readonly chosen: string | undefined;
}

function Servers({ servers, chosen }: ServersProps): ReactNode {
  const [words, setWords] = useState('');
  const [filter, setFilter] = useState<StateFilter>('all');
  const [ranks] = useState(() => new Map<string, number>());
  const wanted = useAfterPaint(words);
  const shown = useMemo(
    () => inSections(matching(servers, wanted, filter), ranks),
    [servers, ranks, wanted, filter],
  );
  const [ids, select] = useState<ReadonlySet<string>>();
  const selection = useMemo(() => ids && { ids, change: select }, [ids]);
  const isEmpty = shown.every((section) => section.servers.length === 0);
  return (
    <>
      <div className={styles['bar']}>
        <SearchField label="Search servers" value={words} onChange={setWords} />
        <Select label="Show servers by state" value={filter} choices={FILTERS} onChange={setFilter} />
        {ids === undefined && servers.length > 1 && (
          <Button look="quiet" onClick={() => select(new Set())}>
            Select
          </Button>
        )}
        <p className={styles['overall']} role="status">
          {overallLine(servers)}
        </p>
      </div>
      {ids && (
        <Suspense>
          <BulkActions
            selected={servers.filter(({ id }) => ids.has(id))}
            onSelectAll={() =>
              select(new Set(shown.flatMap((section) => section.servers.map(({ id }) => id))))
            }
            onEnd={() => select(undefined)}
          />
        </Suspense>
      )}
      {isEmpty ? (
        <EmptyState
          title="No server fits"
          action={
            <Button
              onClick={() => {
                setWords('');
                setFilter('all');
              }}
            >
              Show all {servers.length}
            </Button>
          }
        />
      ) : (
        <SelectionProvider value={selection}>
          <ServerGrid sections={shown} chosen={chosen} />
        </SelectionProvider>
      )}
    </>
  );
}

function AddLink(): ReactNode {
  return (
    <Link href={places.add} className={`${buttons['button']} ${buttons['primary']}`}>
      <Icon name="plus" /> Add
    </Link>
  );
}
