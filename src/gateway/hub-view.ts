import { ignore } from '../base/errors.ts';
import type { Hub, HubEvent } from '../hub/hub.ts';

export type ListKind = 'tools' | 'resources' | 'prompts';

export type Change =
  | { readonly kind: 'lists'; readonly lists: readonly ListKind[] }
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }
  | { readonly kind: 'task'; readonly status: Extract<HubEvent, { readonly kind: 'task-status' }> }
  | { readonly kind: 'log'; readonly entry: Extract<HubEvent, { readonly kind: 'server-log' }> };

export class HubView {
  readonly hub: Hub;
  readonly #end = new AbortController();
  readonly #listeners = new Set<(change: Change) => void>();
  /** Counts up when a list may have changed. */
  revision = 0;

  constructor(hub: Hub) {
    this.hub = hub;
    ignore(this.#follow(), 'the watch ends with the hub');
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#end.abort();
    this.#listeners.clear();
  }

  async #follow(): Promise<void> {
    for await (const event of this.hub.watch({ signal: this.#end.signal, calls: false })) {
      const change = changeIn(event);
      if (!change) continue;
      if (change.kind === 'lists') this.revision += 1;
      for (const listener of this.#listeners) listener(change);
    }
  }
}

const ALL: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** Undefined for events that change no list. */
function changeIn(event: HubEvent): Change | undefined {
  if (event.kind === 'manifest-change') return { kind: 'lists', lists: event.lists };
  if (event.kind === 'tools-change') return { kind: 'lists', lists: ['tools'] };
  // A dropped event may have been a change.
  if (event.kind === 'config-change' || event.kind === 'events-dropped') return { kind: 'lists', lists: ALL };
  if (event.kind === 'resource-update') return { kind: 'resource', server: event.server, uri: event.uri };
  if (event.kind === 'task-status') return { kind: 'task', status: event };
  return event.kind === 'server-log' ? { kind: 'log', entry: event } : undefined;
}
