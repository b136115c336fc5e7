import { useMemo, useState, type ReactNode } from 'react';
import { useHubQuery, useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Select } from '../parts/select.tsx';
import { SearchField } from '../servers/search-field.tsx';
import { ServerIcon } from '../servers/server-icon.tsx';
import {
  CATEGORIES,
  featuredIn,
  featuredMatching,
  type Category,
  type FeaturedServer,
} from './categories.ts';
import { RegistryResults } from './registry-results.tsx';
import styles from './catalog.module.css';

interface CatalogProps {
  /** Goes on with a server, by a name that the hub knows. */
  readonly onAdd: (name: string) => void;
  readonly busy: boolean;
}

/** Well-known servers by what they are for, and what registries have told before: it works offline. */
export function Catalog({ onAdd, busy }: CatalogProps): ReactNode {
  const [words, setWords] = useState('');
  const [category, setCategory] = useState<Category | ''>('');
  const { data } = useServers();
  const targets = useMemo(() => (data?.servers ?? []).map(({ id, target }) => `${id} ${target}`), [data]);
  const catalog = useHubQuery(['featured'], (hub) => hub.registries.featured());
  const featured = useMemo(
    () => (catalog.data ? featuredMatching(featuredIn(catalog.data, category), words) : []),
    [catalog.data, category, words],
  );
  const query = words.trim();
  const known = useHubQuery(
    ['catalog', query],
    (hub) => hub.registries.search({ query, offline: true, limit: LISTED_MAX }),
    { enabled: query.length >= WORDS_MIN && category === '' },
  );
  // The well-known ones stand above already.
  const others = (known.data?.results ?? []).filter(
    ({ entries }) => !entries.some(({ kind }) => kind === 'featured'),
  );
  const shown = query.length >= WORDS_MIN && category === '' ? others : [];
  return (
    <section className={styles['catalog']} aria-label="Catalog">
      <h2>Catalog</h2>
      <div className={styles['bar']}>
        <SearchField label="Search the catalog" value={words} onChange={setWords} slash={false} />
        <Select label="Category" value={category} choices={CATEGORIES} onChange={setCategory} />
      </div>
      <div className={styles['scroller']} tabIndex={0} role="region" aria-label="Servers to add">
        {featured.length > 0 && (
          <ul aria-label="Well-known servers">
            {featured.map((server) => (
              <Row
                key={server.id}
                server={server}
                isThere={isThere(server, targets)}
                busy={busy}
                onAdd={onAdd}
              />
            ))}
          </ul>
        )}
        {shown.length > 0 && (
          <section className={styles['listed']} aria-label="From registries">
            <h3>From registries</h3>
            <RegistryResults results={shown} onAdd={onAdd} busy={busy} />
          </section>
        )}
        {catalog.data && featured.length === 0 && shown.length === 0 && !known.isFetching && (
          <EmptyState title="Nothing found offline">
            Describe what you need: the registries are asked then.
          </EmptyState>
        )}
      </div>
    </section>
  );
}

const LISTED_MAX = 20;
const WORDS_MIN = 2;

interface RowProps {
  readonly server: FeaturedServer;
  readonly isThere: boolean;
  readonly busy: boolean;
  readonly onAdd: (name: string) => void;
}

function Row({ server: { id, title, about, auth }, isThere: there, busy, onAdd }: RowProps): ReactNode {
  return (
    <li className={styles['row']}>
      <ServerIcon id={id} name={title} featured={id} />
      <span className={styles['words']}>
        <span className={styles['title']}>
          {title} <span className={styles['meta']}>{WANTS[auth] ?? 'API key'}</span>
        </span>
        <span className={styles['meta']}>{about}</span>
      </span>
      {there && <Chip tone="good">✓ added</Chip>}
      <Button disabled={busy} onClick={() => onAdd(id)} aria-label={`Add ${title}`}>
        Add
      </Button>
    </li>
  );
}

const WANTS: Readonly<Partial<Record<FeaturedServer['auth'], string>>> = {
  none: 'no key needed',
  oauth: 'sign in',
};

/** By what is contacted or started, under whatever name. */
function isThere({ id, remote, package: origin }: FeaturedServer, targets: readonly string[]): boolean {
  const mark = remote === undefined ? origin?.name : new URL(remote.url).host;
  return targets.some((each) => each.startsWith(`${id} `) || (mark !== undefined && each.includes(mark)));
}
