import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Occurrence } from './connection-options.ts';
import type { ServerEvent, ServerState } from './state.ts';
import type { ConnectionStore } from './store.ts';

export interface HistoryOptions {
  readonly owner: OwnerId;
  readonly store: ConnectionStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly tasks: TaskGroup;
  readonly onState: (key: string, state: ServerState, event?: ServerEvent) => void;
}

/** Tells every change of state, and keeps those that are worth it, so many for each server. */
export class History {
  readonly #options: HistoryOptions;
  #events = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  tell(key: string, state: ServerState, event: Occurrence | undefined): void {
    const { clock, ids, onState, store, owner, tasks, limits } = this.#options;
    if (!event) return onState(key, state);
    const record = { id: ids.next('event'), server: key, at: clock.now(), state: state.kind, ...event };
    onState(key, state, record);
    tasks.run('keep an event', () => store.appendEvent(owner, record));
    this.#events += 1;
    if (this.#events % limits.eventsKeptPerServer !== 0) return undefined;
    return tasks.run(
      'prune events',
      async () => void (await store.pruneEvents(owner, limits.eventsKeptPerServer)),
    );
  }
}
