import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHubEvents } from '../hub/events.tsx';
import type { CallDisplay, HubEvent } from '../hub/hub-context.tsx';
import { useServerNames } from '../hub/server-names.ts';
import { Chip } from '../parts/chip.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { counted } from '../parts/words.ts';
import styles from './activity.module.css';

interface Running extends CallDisplay {
  readonly server: string;
}

const SHOWN_MAX = 10;
const COLLECT_MS = 150;

/** Calls under way, above those that are over. */
export function RunningCalls({ server }: { readonly server: string }): ReactNode {
  const nameOf = useServerNames();
  const running = useRunning().filter((call) => server === '' || call.server === server);
  if (running.length === 0) return null;
  return (
    <ul className={styles['rows']} aria-label="Calls under way">
      {running.slice(0, SHOWN_MAX).map((call) => (
        <li key={call.callId} className={styles['running']}>
          <Spinner />
          <span className={styles['what']}>
            <strong>{showHidden(call.tool)}</strong> <span>{nameOf(call.server)}</span>
          </span>
          <Chip tone={call.state === 'waiting' ? 'warn' : 'info'}>
            {call.state === 'waiting' ? 'waits for you' : 'running'}
          </Chip>
        </li>
      ))}
      {running.length > SHOWN_MAX && (
        <li className={styles['running']}>and {counted(running.length - SHOWN_MAX, 'more call')}</li>
      )}
    </ul>
  );
}

/** Steps of calls are many: they are collected, and shown a few times a second. */
function useRunning(): readonly Running[] {
  const [shown, setShown] = useState<readonly Running[]>([]);
  const known = useRef(new Map<string, Running>());
  const timer = useRef<number | undefined>(undefined);
  useHubEvents(
    useCallback((event: HubEvent) => {
      if (event.kind === 'events-dropped') known.current.clear();
      else if (event.kind !== 'call') return;
      else if (event.call.durationMs !== undefined) known.current.delete(event.call.callId);
      else known.current.set(event.call.callId, { ...event.call, server: event.server });
      timer.current ??= window.setTimeout(() => {
        timer.current = undefined;
        setShown([...known.current.values()].toReversed());
      }, COLLECT_MS);
    }, []),
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return shown;
}
