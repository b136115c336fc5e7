import type { QueryClient } from '@tanstack/react-query';
import type { Hub, HubEvent, ServerList, ServerState } from './hub-context.tsx';
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
 * States are collected for a moment, so that a server that changes ten times a second costs ten
 * renderings a second at most, whatever the number of servers.
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
const COLLECT_MS = 100;

async function readAll(
  events: AsyncIterable<HubEvent>,
  { cache, onConnection, onEvent }: LiveOptions,
): Promise<void> {
  const states = new Map<string, ServerState>();
  let timer: number | undefined;
  const flush = (): void => {
    // A list that is on its way may be older than these states: they come after it.
    const waits = cache.getQueryState(keys.servers)?.fetchStatus === 'fetching';
    timer = waits ? window.setTimeout(flush, COLLECT_MS) : undefined;
    if (waits) return;
    applyStates(cache, states);
    states.clear();
  };
  try {
    for await (const event of events) {
      onEvent(event);
      if (event.kind === 'server-state') {
        states.set(event.server, event.state);
        timer ??= window.setTimeout(flush, COLLECT_MS);
      } else if (event.kind === 'events-dropped' && event.count === 0) {
        onConnection('live');
        await cache.invalidateQueries();
      } else {
        for (const queryKey of staleAfter(event)) void cache.invalidateQueries({ queryKey });
      }
    }
  } finally {
    window.clearTimeout(timer);
  }
}

function applyStates(cache: QueryClient, states: ReadonlyMap<string, ServerState>): void {
  const list = cache.getQueryData<ServerList>(keys.servers);
  // To write into a list that is known to be old would make it count as new.
  if (list && cache.getQueryState(keys.servers)?.isInvalidated === false) {
    const servers = list.servers.map((server) => {
      const state = states.get(server.id);
      return state === undefined ? server : { ...server, state };
    });
    cache.setQueryData<ServerList>(keys.servers, { ...list, servers });
    const known = new Set(servers.map(({ id }) => id));
    if ([...states.keys()].some((id) => !known.has(id))) {
      void cache.invalidateQueries({ queryKey: keys.servers });
    }
  }
  for (const [id] of states) {
    void cache.invalidateQueries({ queryKey: keys.events(id) });
    void cache.invalidateQueries({ queryKey: keys.logs(id) });
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
