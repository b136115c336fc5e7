import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { HubEvent, ServerView } from '../hub/hub-context.tsx';
import { useHubEvents } from '../hub/events.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Fold } from '../parts/fold.tsx';
import { Switch } from '../parts/switch.tsx';
import { counted } from '../parts/words.ts';
import styles from './logs-tab.module.css';

/** What a server writes, as it writes it: its stderr, and what it logs by the protocol. */
export function LogsTab({ server }: { readonly server: ServerView }): ReactNode {
  const { id } = server;
  const [follow, setFollow] = useState(true);
  const { data, error } = useHubQuery(keys.logs(id), (hub) => hub.servers.logs({ id }));
  const said = useSaid(id);
  const text = useMemo(() => showHidden((data?.stderr ?? []).join('\n')), [data]);
  if (error) return <ErrorNote error={error} />;
  const { noise } = data ?? {};
  const nothing = text === '' && said.length === 0 && (noise?.count ?? 0) === 0;
  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <Switch label="Follow" shown checked={follow} onChange={setFollow} />
        {text !== '' && <CopyButton text={text} />}
      </div>
      {nothing && (
        <EmptyState title="It has written nothing">
          <p>
            {server.transport === 'stdio'
              ? 'Output appears here while it runs.'
              : 'A remote server keeps its own log; what it tells us appears here.'}
          </p>
        </EmptyState>
      )}
      {text !== '' && <Lines text={text} follow={follow} label={`Log of ${server.name}`} />}
      {said.length > 0 && (
        <Lines text={said.join('\n')} follow={follow} label="From the server’s annotations" />
      )}
      {noise !== undefined && noise.count > 0 && (
        <Fold
          label={`${counted(noise.count, 'line')} on its output ${noise.count === 1 ? 'is' : 'are'} no MCP`}
        >
          <Lines
            text={showHidden(noise.lines.join('\n'))}
            follow={false}
            label="Lines that aren’t MCP messages"
          />
        </Fold>
      )}
    </div>
  );
}

interface LinesProps {
  readonly text: string;
  readonly follow: boolean;
  readonly label: string;
}

function Lines({ text, follow, label }: LinesProps): ReactNode {
  const pane = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (follow && pane.current) pane.current.scrollTop = pane.current.scrollHeight;
  }, [text, follow]);
  return (
    <pre ref={pane} className={styles['lines']} tabIndex={0} role="log" aria-label={label}>
      {text}
    </pre>
  );
}

const SAID_MAX = 200;

function useSaid(id: string): readonly string[] {
  const [said, setSaid] = useState<readonly string[]>([]);
  useHubEvents(
    useCallback(
      (event: HubEvent) => {
        if (event.kind !== 'server-log' || event.server !== id) return;
        const words = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
        const line = showHidden(`${event.level}  ${words}`.slice(0, LINE_CHARS));
        setSaid((before) => [...before, line].slice(-SAID_MAX));
      },
      [id],
    ),
  );
  return said;
}

const LINE_CHARS = 2_000;
