import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { places } from '../../frame/places.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubQuery } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { isOurs } from '../kept-here.ts';
import { EditServer } from './edit-server.tsx';
import { ServerFacts } from './server-facts.tsx';
import { Version } from './version.tsx';
import { ServerSwitches } from './server-switches.tsx';
import styles from './config-tab.module.css';

/** How a server is reached and what it may do; what is kept here can be edited here. */
export function ConfigTab({ server }: { readonly server: ServerView }): ReactNode {
  const [, go] = useLocation();
  const editing = useSearch() === 'edit' && isOurs(server);
  const edit = (open: boolean): void =>
    go(`${places.server(server.id, 'config')}${open ? '?edit' : ''}`, { replace: true });
  const { data: definition, error } = useHubQuery([...keys.server(server.id), 'definition'], (hub) =>
    hub.servers.definition({ id: server.id }),
  );
  if (editing && definition) {
    return <EditServer definition={definition} onClose={() => edit(false)} />;
  }
  return (
    <div className={styles['tab']}>
      {error && <ErrorNote error={error} />}
      {definition && <ServerFacts server={server} definition={definition} />}
      <Version server={server} />
      {isOurs(server) ? (
        <Button icon="edit" disabled={!definition} onClick={() => edit(true)}>
          Edit
        </Button>
      ) : (
        <FromFile server={server} />
      )}
      {definition && <ServerSwitches server={server} />}
    </div>
  );
}

/** Files are the user's: we read them and never write them. */
function FromFile({ server }: { readonly server: ServerView }): ReactNode {
  const { file } = server.source;
  return (
    <p className={styles['note']}>
      It is written in {file === undefined ? 'a file of yours' : <code>{showHidden(file)}</code>}, under{' '}
      <code>{showHidden(server.id)}</code>. Change it there: it is read again as soon as you save.
    </p>
  );
}
