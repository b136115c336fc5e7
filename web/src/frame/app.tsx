import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { connect } from '../hub/connect.ts';
import { HubProvider } from '../hub/hub-context.tsx';
import { createEvents, EventsProvider } from '../hub/events.tsx';
import { keepLive, type Connection } from '../hub/live.ts';
import type { Session } from '../hub/session.ts';
import { tellBreak } from '../hub/shared-events.ts';
import { ToastProvider } from '../parts/toasts.tsx';
import { ConnectionProvider } from './connection.tsx';
import { Frame } from './frame.tsx';

interface AppProps {
  readonly session: Session;
  /** The hub no longer knows this browser. */
  readonly onShutOut: () => void;
  /** Default: the places of a hub of one user. */
  readonly frame?: ReactNode;
}

/** Everything that the page needs around it: the hub, what is known of it, and its events. */
export function App({ session, onShutOut, frame = <Frame /> }: AppProps): ReactNode {
  const [connection, setConnection] = useState<Connection>('connecting');
  const hub = useMemo(() => {
    const onBreak = (): void => {
      setConnection('reconnecting');
      tellBreak();
    };
    return connect(session, onBreak);
  }, [session]);
  const events = useMemo(() => createEvents(), []);
  const cache = useMemo(() => new QueryClient(CACHE), []);
  useEffect(() => {
    const stop = new AbortController();
    void keepLive({
      hub,
      cache,
      signal: stop.signal,
      onConnection: setConnection,
      onEvent: events.send,
    });
    return () => stop.abort();
  }, [hub, cache, events]);
  useEffect(() => {
    if (connection === 'shut-out') onShutOut();
  }, [connection, onShutOut]);
  return (
    <HubProvider value={hub}>
      <QueryClientProvider client={cache}>
        <EventsProvider value={events}>
          <ConnectionProvider value={connection}>
            {/* The hub's policy allows no inline style: the library must not try. */}
            <CSPProvider disableStyleElements>
              <ToastProvider>{frame}</ToastProvider>
            </CSPProvider>
          </ConnectionProvider>
        </EventsProvider>
      </QueryClientProvider>
    </HubProvider>
  );
}

// Events say when something changed; what failed is shown with a button, not tried again in silence.
const CACHE = {
  defaultOptions: { queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false } },
} as const;
