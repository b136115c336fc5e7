import { useMemo, useState, type ReactNode } from 'react';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubQuery } from '../../hub/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAfterPaint } from '../../parts/use-after-paint.ts';
import { Switch } from '../../parts/switch.tsx';
import { TokenMeter } from '../../parts/token-meter.tsx';
import { counted } from '../../parts/words.ts';
import { SearchField } from '../search-field.tsx';
import { useAct } from '../use-act.ts';
import { ChangedTools } from './changed-tools.tsx';
import { listedTools, toolsMatching } from './tool-list.ts';
import { ToolRows } from './tool-rows.tsx';
import styles from './tools-tab.module.css';

/** What a server can do, what of it is offered, and at what cost. */
export function ToolsTab({ server }: { readonly server: ServerView }): ReactNode {
  const { data, error } = useHubQuery(keys.tools(server.id), (hub) => hub.tools.audit({ server: server.id }));
  const [words, setWords] = useState('');
  const wanted = useAfterPaint(words);
  const all = useMemo(() => listedTools(data), [data]);
  const shown = useMemo(() => toolsMatching(all, wanted), [all, wanted]);
  if (error) return <ErrorNote error={error} />;
  if (!data) {
    return (
      <p>
        <Spinner /> Looking at its tools…
      </p>
    );
  }
  if (all.length === 0) return <NoTools server={server} />;
  const offered = all.filter(({ withheld }) => withheld === undefined).length;
  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <SearchField label="Search tools" value={words} onChange={setWords} slash={false} />
        <ReadOnly server={server} />
      </div>
      <p className={styles['meta']} role="status">
        {wanted === ''
          ? `${offered} of ${counted(all.length, 'tool')} offered`
          : counted(shown.length, 'match', 'matches')}
        {' · '}
        <TokenMeter tokens={data.servers[0]?.tokens} />
      </p>
      <ChangedTools tools={all} server={server.id} />
      <ToolRows tools={shown} server={server} />
    </div>
  );
}

function ReadOnly({ server }: { readonly server: ServerView }): ReactNode {
  const { act, busy } = useAct([keys.servers, keys.tools(server.id)]);
  return (
    <Switch
      label="Read-only"
      shown
      checked={server.readOnly}
      disabled={busy}
      onChange={(readOnly) => void act((hub) => hub.servers.setReadOnly({ id: server.id, readOnly }))}
    />
  );
}

function NoTools({ server }: { readonly server: ServerView }): ReactNode {
  const known = server.serverInfo !== undefined;
  return (
    <EmptyState title={known ? 'It has no tools' : 'Its tools are not known yet'}>
      <p>{known ? 'It may offer resources or prompts only.' : 'They’re read when it first starts.'}</p>
    </EmptyState>
  );
}
