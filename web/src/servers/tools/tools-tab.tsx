import { useMemo, useState, type ReactNode } from 'react';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubQuery } from '../../hub/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAfterPaint } from '../../parts/use-after-paint.ts';
import { Switch } from '../../parts/switch.tsx';
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/select.tsx';
import { TokenMeter } from '../../parts/token-meter.tsx';
import { counted } from '../../parts/words.ts';
import { SearchField } from '../search-field.tsx';
import { useAct } from '../use-act.ts';
import { ChangedTools } from './changed-tools.tsx';
import { listedTools, toolsMatching, type ListedTool } from './tool-list.ts';
import { SelectedTools } from './selected-tools.tsx';
import { ToolRows } from './tool-rows.tsx';
import { inOrder, ORDERS, useToolUses, type ToolOrder } from './use-tool-use.ts';
import styles from './tools-tab.module.css';

/** What a server can do, what of it is offered, and at what cost. */
export function ToolsTab({ server }: { readonly server: ServerView }): ReactNode {
  const { data, error } = useHubQuery(keys.tools(server.id), (hub) => hub.tools.audit({ server: server.id }));
  const [words, setWords] = useState('');
  const wanted = useAfterPaint(words);
  const all = useMemo(() => listedTools(data), [data]);
  const uses = useToolUses(server.id);
  const [order, setOrder] = useState<ToolOrder>('name');
  const [selected, select] = useState<ReadonlySet<string>>();
  const shown = useMemo(() => inOrder(toolsMatching(all, wanted), order, uses), [all, wanted, order, uses]);
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
      <div className={styles['bar']}>
        <p className={styles['meta']} role="status">
          {wanted === ''
            ? `${offered} of ${counted(all.length, 'tool')} offered`
            : counted(shown.length, 'match', 'matches')}
          {' · '}
          <TokenMeter tokens={data.servers[0]?.tokens} />
        </p>
        <span className={styles['choices']}>
          <Select label="Order of the tools" value={order} choices={ORDERS} onChange={setOrder} />
          {selected === undefined && (
            <Button look="quiet" onClick={() => select(new Set())}>
              Select
            </Button>
          )}
        </span>
      </div>
      {selected && (
        <SelectedTools
          server={server.id}
          selected={all.filter(({ ref }) => selected.has(ref))}
          onSelectUnused={
            uses && (() => select(new Set(refsOf(shown.filter(({ name }) => !uses.has(name))))))
          }
          onSelectAll={() => select(new Set(refsOf(shown)))}
          onEnd={() => select(undefined)}
        />
      )}
      <ChangedTools tools={all} server={server.id} />
      <ToolRows
        tools={shown}
        server={server}
        uses={uses}
        showUse={order !== 'name' || selected !== undefined}
        selected={selected}
        onSelect={select}
      />
    </div>
  );
}

function refsOf(tools: readonly ListedTool[]): readonly string[] {
  return tools.flatMap(({ ref, tool }) => (tool ? [ref] : []));
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
