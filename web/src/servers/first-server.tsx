import { lazy, Suspense, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ImportPreview } from '../hub/hub-context.tsx';
import { useHubQuery } from '../hub/queries.ts';
import { counted } from '../parts/words.ts';
import styles from './first-server.module.css';

const FirstPaste = lazy(() => import('../add/first-paste.tsx'));

/** An empty page teaches one thing, and takes it at once: the first server. */
export function FirstServer(): ReactNode {
  const { data } = useHubQuery(['imports'], (hub) => hub.imports.scan());
  // As many as the import offers: what is already here, or can't be read, is left out.
  const possible = data?.found.filter(({ skipped }) => skipped === undefined) ?? [];
  const found = possible.length;
  return (
    <section className={styles['first']} aria-labelledby="first-server">
      <h2 id="first-server">Connect your first server</h2>
      <p className={styles['about']}>
        A server gives your assistants tools, such as reading files, searching mail or opening an issue. Paste
        the config from its website, or type its name.
      </p>
      <div className={styles['box']}>
        <Suspense>
          <FirstPaste />
        </Suspense>
      </div>
      <p className={styles['ways']}>
        <Link href={places.setup}>Browse the catalog</Link>
        {data && found > 0 && (
          <span role="status">
            Found {counted(found, 'server')} in {clientsIn(possible)}.{' '}
            <Link href={`${places.add}?from=clients`}>Import {found === 1 ? 'it' : 'them'}</Link>
          </span>
        )}
      </p>
    </section>
  );
}

/** “Claude Code, Cursor and 2 more”. */
function clientsIn(found: ImportPreview['found']): string {
  const clients = [...new Set(found.map(({ client }) => client))].map((name) => showHidden(name));
  const shown = clients.slice(0, 3).join(', ');
  return clients.length > 3 ? `${shown} and ${clients.length - 3} more` : shown;
}
