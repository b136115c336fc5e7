import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Hub, Subscription } from '../hub/hub.ts';
import { Changes } from './changes.ts';
import { Endpoint } from './endpoint.ts';
import { HubView } from './hub-view.ts';
import type { GatewayLimits } from './limits.ts';
import type { Scope } from './scope.ts';
import { surfaceFor } from './surface-for.ts';

export interface OpenScope {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly changes: Changes;
  readonly resources: WatchedResources;
}

export interface OpenScopesOptions {
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly version: string;
  readonly hub: (folder: string | undefined) => Promise<Hub>;
}

interface Opening {
  readonly promise: Promise<OpenScope>;
  opened: OpenScope | undefined;
}

/** One per scope and principal; the oldest are evicted. */
export class OpenScopes {
  readonly #options: OpenScopesOptions;
  readonly #views = new Map<string, Promise<HubView>>();
  readonly #openings = new Map<string, Opening>();
  readonly #keys = new WeakMap<Scope, { readonly principal: string; readonly key: string }>();
  /** Hosts watching a resource, by server and address, across all scopes. */
  readonly #watchers = new Map<string, number>();

  constructor(options: OpenScopesOptions) {
    this.#options = options;
  }

  /** Synchronous when open, as for nearly every request. */
  find(scope: Scope, principal: string): OpenScope | Promise<OpenScope> {
    const key = this.#scopeKey(scope, principal);
    const known = this.#openings.get(key);
    if (known) return known.opened ?? known.promise;
    this.#evict();
    const opening: Opening = { promise: this.#open(key, scope), opened: undefined };
    this.#openings.set(key, opening);
    opening.promise.then(
      (opened) => (opening.opened = opened),
      () => this.#openings.delete(key), // what failed is tried again by the next one
    );
    return opening.promise;
  }

  /** Routes cache their scopes, so keys are cached too. */
  #scopeKey(scope: Scope, principal: string): string {
    const known = this.#keys.get(scope);
    if (known?.principal === principal) return known.key;
    const { folder = '', profile = '', server = '', mode = '', readOnly = '' } = scope;
    // Only the folder may contain a line break: it comes last.
    const key = `${principal}\n${profile}\n${server}\n${mode}\n${readOnly}\n${folder}`;
    this.#keys.set(scope, { principal, key });
    return key;
  }

  endHost(principal: string): void {
    for (const key of this.#openings.keys()) {
      if (key.startsWith(`${principal}\n`)) this.#drop(key, () => true);
    }
  }

  async close(): Promise<void> {
    const openings = [...this.#openings.values()].map(({ promise }) => promise);
    for (const opened of await Promise.allSettled(openings)) {
      if (opened.status === 'fulfilled') opened.value.changes.close();
    }
    for (const view of await Promise.allSettled(this.#views.values())) {
      if (view.status === 'fulfilled') view.value.close();
    }
  }

  async #open(key: string, scope: Scope): Promise<OpenScope> {
    const { clock, limits, version } = this.#options;
    const view = await this.#view(scope.folder);
    const { surface, guidance } = surfaceFor(view, scope, this.#options);
    const endpoint = new Endpoint({ view, scope, limits, version, surface, guidance });
    return {
      key,
      endpoint,
      changes: new Changes(endpoint, { clock, limits }),
      resources: new WatchedResources(view.hub, this.#watchers),
    };
  }

  #view(folder: string | undefined): Promise<HubView> {
    const key = folder ?? '';
    const known = this.#views.get(key);
    if (known) return known;
    const made = this.#options.hub(folder).then((hub) => new HubView(hub));
    this.#views.set(key, made);
    made.then(undefined, () => this.#views.delete(key));
    return made;
  }

  /** Each holds lists, and hosts may come from ever new folders. Scopes with listeners are not closed. */
  #evict(): void {
    const { openScopesMax } = this.#options.limits;
    for (const key of this.#openings.keys()) {
      if (this.#openings.size < openScopesMax) return;
      this.#drop(key, ({ listeners }) => listeners === 0);
    }
  }

  #drop(key: string, mayClose: (changes: Changes) => boolean): void {
    const dropped = this.#openings
      .get(key)
      ?.promise.then(({ changes }) => (mayClose(changes) ? changes.close() : undefined));
    this.#openings.delete(key);
    if (dropped) ignore(dropped, 'a scope that never opened needs no end');
  }
}

/** Each host subscribes itself, as its server may be unshared; on shared ones, the last one unsubscribes. */
export class WatchedResources {
  readonly #hub: Hub;
  readonly #watchers: Map<string, number>;

  constructor(hub: Hub, watchers: Map<string, number>) {
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

const HARMLESS = 'one update too many does no harm';

function subscriptionKey({ server, uri }: Subscription): string {
  return JSON.stringify([server, uri]);
}
