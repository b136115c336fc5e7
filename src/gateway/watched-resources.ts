import { ignore } from '../base/errors.ts';
import type { Hub, Subscription } from '../hub/hub.ts';

/** Hosts watching a resource, by server and address, across all scopes. */
export type Watchers = Map<string, number>;

/** Each host subscribes itself, as its server may be unshared; on shared ones, the last one unsubscribes. */
export class WatchedResources {
  readonly #hub: Hub;
  readonly #watchers: Watchers;

  constructor(hub: Hub, watchers: Watchers) {
    this.#hub = hub;
    this.#watchers = watchers;
  }

  async watch(watched: Subscription): Promise<void> {
    const key = subscriptionKey(watched);
    // Counted first: a concurrent unwatch must not end it.
    this.#watchers.set(key, (this.#watchers.get(key) ?? 0) + 1);
    try {
      await this.#hub.resources.subscribe(watched);
    } catch (error) {
      this.#let(key);
      throw error;
    }
  }

  unwatch(watched: Subscription): void {
    if (this.#let(subscriptionKey(watched)) > 0) return;
    const { server, uri, host } = watched;
    const { resources } = this.#hub;
    ignore(resources.unsubscribe({ server, uri }), HARMLESS);
    // The server may have become the host's own since.
    if (host !== undefined) ignore(resources.unsubscribe(watched), HARMLESS);
  }

  #let(key: string): number {
    const left = (this.#watchers.get(key) ?? 1) - 1;
    if (left > 0) this.#watchers.set(key, left);
    else this.#watchers.delete(key);
    return left;
  }
}

const HARMLESS = 'an update too many harms nobody';

function subscriptionKey({ server, uri }: Subscription): string {
  return JSON.stringify([server, uri]);
}
