import { ignore } from '../base/errors.ts';
import type { Hub, Subscription } from '../hub/hub.ts';

/** How many hosts watch a resource, by server and address; one for all scopes of a gateway. */
export type Watchers = Map<string, number>;

/**
 * Resources as the hosts of one scope watch them. Each subscribes by itself, since it may have its
 * server for itself; on a connection that hosts share, whatever folder they come from, the last one
 * to let go ends the subscription.
 */
export class WatchedResources {
  readonly #hub: Hub;
  readonly #watchers: Watchers;

  constructor(hub: Hub, watchers: Watchers) {
    this.#hub = hub;
    this.#watchers = watchers;
  }

  async watch(watched: Subscription): Promise<void> {
    const key = subscriptionKey(watched);
    // Counted before it is asked for: whoever lets go meanwhile must not end it for this one.
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
    // A server may have become the host's own since it was watched, or have been so all along.
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
