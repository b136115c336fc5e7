import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { ServerList, ServerState } from './hub-context.tsx';
import { keys } from './queries.ts';

/**
 * States as events tell them, put into the list of servers. They are collected for a moment, so that a server
 * that changes ten times a second costs ten renderings a second at most, whatever the number of servers.
 */
export class HeardStates {
  readonly #cache: QueryClient;
  readonly #states = new Map<string, ServerState>();
  /** Servers whose events and logs have more to show. */
  readonly #busy = new Set<string>();
  readonly #unsubscribe: () => void;
  #timer: number | undefined;

  constructor(cache: QueryClient) {
    this.#cache = cache;
    this.#unsubscribe = cache.getQueryCache().subscribe((event) => {
      const isAsked = event.type === 'updated' && event.action.type === 'fetch';
      // A list that is asked for now knows all that was heard before, and what came after it.
      if (isAsked && event.query.queryHash === SERVERS) this.#states.clear();
    });
  }

  hear(server: string, state: ServerState): void {
    this.#states.set(server, state);
    this.#busy.add(server);
    this.#timer ??= window.setTimeout(this.#flush, COLLECT_MS);
  }

  close(): void {
    window.clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  readonly #flush = (): void => {
    // A list that is on its way may be older than these states: they come after it.
    const waits = this.#cache.getQueryState(keys.servers)?.fetchStatus === 'fetching';
    this.#timer = waits ? window.setTimeout(this.#flush, COLLECT_MS) : undefined;
    if (waits) return;
    applyStates(this.#cache, this.#states);
    this.#states.clear();
    for (const id of this.#busy) {
      void this.#cache.invalidateQueries({ queryKey: keys.events(id) });
      void this.#cache.invalidateQueries({ queryKey: keys.logs(id) });
    }
    this.#busy.clear();
  };
}

const COLLECT_MS = 100;
const SERVERS = hashKey(keys.servers);

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
}
