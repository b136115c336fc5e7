import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import type { ServerView, TrafficMessage } from '../../hub/hub-context.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Select } from '../../parts/select.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { counted } from '../../parts/words.ts';
import { SearchField } from '../search-field.tsx';
import { asTest } from './as-test.ts';
import { KINDS, messagesMatching, type Kind } from './matching.ts';
import { TrafficRow } from './traffic-row.tsx';
import { useTraffic } from './use-traffic.ts';
import styles from './traffic.module.css';

const SHOWN_MAX = 200;

/** The JSON-RPC messages of a server as they come and go. Nothing is recorded until somebody asks for it. */
export function TrafficTab({ server }: { readonly server: ServerView }): ReactNode {
  const { shown, error, record } = useTraffic(server.id);
  if (error !== undefined) return <ErrorNote error={error} />;
  if (!shown) {
    return (
      <p>
        <Spinner /> Loading…
      </p>
    );
  }
  if (shown.since === undefined) {
    return (
      <EmptyState
        title="Traffic isn't recorded"
        action={
          <Button look="primary" onClick={() => void record(true)}>
            Start recording
          </Button>
        }
      >
        See every JSON-RPC message between Plugboard and this server. Messages stay in memory, with secrets
        masked, until you stop recording or the hub stops.
      </EmptyState>
    );
  }
  return <Messages server={server.id} messages={shown.messages} dropped={shown.dropped} record={record} />;
}

interface MessagesProps {
  readonly server: string;
  readonly messages: readonly TrafficMessage[];
  readonly dropped: number;
  readonly record: (recorded: boolean) => Promise<void>;
}

function Messages({ server, messages, dropped, record }: MessagesProps): ReactNode {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const fitting = useMemo(() => messagesMatching(messages, words, kind), [messages, words, kind]);
  const current = useRef(messages);
  current.current = messages;
  const testOf = useCallback((message: TrafficMessage) => asTest(server, message, current.current), [server]);
  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <SearchField label="Search messages" value={words} onChange={setWords} slash={false} />
        <Select label="Kind of message" value={kind} choices={KINDS} onChange={setKind} />
      </div>
      <div className={styles['bar']}>
        <p className={styles['note']} role="status">
          <span className={styles['live']} aria-hidden="true">
            ●
          </span>{' '}
          {sayCount(messages.length, fitting.length, dropped)}
        </p>
        <Button look="quiet" onClick={() => void record(true)}>
          Clear
        </Button>
        <Button icon="stop" onClick={() => void record(false)}>
          Stop recording
        </Button>
      </div>
      {messages.length === 0 ? (
        <EmptyState title="No messages yet">
          Call a tool, or restart the server to see how it connects.
        </EmptyState>
      ) : (
        <ul className={styles['rows']} aria-label="Messages">
          {fitting.slice(0, SHOWN_MAX).map((message) => (
            <TrafficRow key={`${message.session} ${message.seq}`} message={message} testOf={testOf} />
          ))}
        </ul>
      )}
    </div>
  );
}

function sayCount(all: number, fitting: number, dropped: number): string {
  const older = dropped === 0 ? '' : ` · ${counted(dropped, 'older one')} dropped`;
  const cut = fitting > SHOWN_MAX ? ` · newest ${SHOWN_MAX} shown` : '';
  const found = fitting === all ? '' : `${counted(fitting, 'match', 'matches')} of `;
  return `Recording · ${found}${counted(all, 'message')}${cut}${older}`;
}
