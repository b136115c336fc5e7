import type { QueryClient } from '@tanstack/react-query';
import { HeardStates } from './heard-states.ts';
import type { Hub, HubEvent } from './hub-context.tsx';
import { keys } from './queries.ts';
import { openEvents } from './shared-events.ts';

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'shut-out';

export interface LiveOptions {
  readonly hub: Hub;
  readonly cache: QueryClient;
  readonly signal: AbortSignal;
  readonly onConnection: (connection: Connection) => void;
  /** Every event, for those who show them one by one. */
  readonly onEvent: (event: HubEvent) => void;
}

/**
 * Keeps what the page shows true: events of the hub change what is known, or mark it as stale.
 */
export async function keepLive(options: LiveOptions): Promise<void> {
  const { hub, cache, signal, onConnection } = options;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const round = new AbortController();
    try {
      const wanted = AbortSignal.any([signal, round.signal]);
      // Opened before anything is asked for: what happens in between is heard, too.
      const events = await openEvents({ hub, signal: wanted, onBreak: () => onConnection('reconnecting') });
      attempt = 0;
      onConnection('live');
      await cache.invalidateQueries();
      await readAll(events, options);
    } catch (error) {
      if (signal.aborted) return;
      if (isShutOut(error)) {
        onConnection('shut-out');
        return;
      }
    } finally {
      round.abort(new Error('another round begins'));
    }
    onConnection('reconnecting');
    await pause(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** attempt), signal);
  }
}

const RETRY_MS = 300;
const RETRY_MAX_MS = 5_000;

async function readAll(
  events: AsyncIterable<HubEvent>,
  { cache, onConnection, onEvent }: LiveOptions,
): Promise<void> {
  const states = new HeardStates(cache);
  try {
    for await (const event of events) {
      onEvent(event);
      if (event.kind === 'server-state') {
        states.hear(event.server, event.state);
      } else if (event.kind === 'events-dropped' && event.count === 0) {
        onConnection('live');
        await cache.invalidateQueries();
      } else {
        for (const queryKey of staleAfter(event)) void cache.invalidateQueries({ queryKey });
      }
    }
  } finally {
    states.close();
  }
}

function staleAfter(event: HubEvent): readonly (readonly unknown[])[] {
  switch (event.kind) {
    case 'manifest-change':
      return [
        keys.servers,
        keys.tools(event.server),
        keys.resources(event.server),
        keys.prompts(event.server),
      ];
    case 'tools-change':
      return [keys.servers, ['server'], keys.grants, keys.settings, keys.changes];
    case 'config-change':
      return [keys.servers, keys.changes];
    case 'approval-request':
    case 'approval-answer':
      return [keys.approvals, keys.grants];
    case 'events-dropped':
      return [[]];
    case 'server-output':
      return event.of === 'log' ? [keys.logs(event.server)] : [];
    case 'server-state':
    case 'server-log':
    case 'resource-update':
    case 'task-status':
    case 'call':
      break;
  }
  return [];
}

function isShutOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'denied';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        window.clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
