import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Hub } from '../hub/hub.ts';
import { Changes } from './changes.ts';
import { Endpoint } from './endpoint.ts';
import { HubView } from './hub-view.ts';
import type { GatewayLimits } from './limits.ts';
import type { Scope } from './scope.ts';
import { surfaceFor } from './surface-for.ts';
import { WatchedResources, type Watchers } from './watched-resources.ts';

/** Where the hosts of one scope meet: the endpoint, and what they share of it. */
export interface Room {
  /** Its own among all rooms. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly changes: Changes;
  readonly resources: WatchedResources;
}

export interface RoomsOptions {
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly version: string;
  /** The hub as seen from a folder, or from its own. */
  readonly hub: (folder: string | undefined) => Promise<Hub>;
}

/** A room, or what will be one. */
interface Opening {
  readonly promise: Promise<Room>;
  room: Room | undefined;
}

/** One room for each scope and principal; those that nobody has used for longest make room for new ones. */
export class Rooms {
  readonly #options: RoomsOptions;
  readonly #views = new Map<string, Promise<HubView>>();
  readonly #rooms = new Map<string, Opening>();
  readonly #keys = new WeakMap<Scope, { readonly principal: string; readonly key: string }>();
  readonly #watchers: Watchers = new Map();

  constructor(options: RoomsOptions) {
    this.#options = options;
  }

  /** At once where it is open, as nearly every request finds it. */
  find(scope: Scope, principal: string): Room | Promise<Room> {
    const key = this.#keyOf(scope, principal);
    const known = this.#rooms.get(key);
    if (known) return known.room ?? known.promise;
    this.#makeWay();
    const opening: Opening = { promise: this.#open(key, scope), room: undefined };
    this.#rooms.set(key, opening);
    opening.promise.then(
      (room) => (opening.room = room),
      () => this.#rooms.delete(key), // what failed is tried again by the next one
    );
    return opening.promise;
  }

  /** Addresses are read once, so that their scopes come again: so do their keys. */
  #keyOf(scope: Scope, principal: string): string {
    const known = this.#keys.get(scope);
    if (known?.principal === principal) return known.key;
    const { folder = '', profile = '', server = '', mode = '' } = scope;
    // None of these may hold a line break but the folder, which stands last.
    const key = `${principal}\n${profile}\n${server}\n${mode}\n${folder}`;
    this.#keys.set(scope, { principal, key });
    return key;
  }

  async close(): Promise<void> {
    for (const room of await Promise.allSettled([...this.#rooms.values()].map(({ promise }) => promise))) {
      if (room.status === 'fulfilled') room.value.changes.close();
    }
    for (const view of await Promise.allSettled(this.#views.values())) {
      if (view.status === 'fulfilled') view.value.close();
    }
  }

  async #open(key: string, scope: Scope): Promise<Room> {
    const { clock, limits, version } = this.#options;
    const view = await this.#view(scope.folder);
    const { surface, guidance } = surfaceFor({ view, scope, limits, clock });
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
    return known ?? kept(this.#views, key, async () => new HubView(await this.#options.hub(folder)));
  }

  /** A room holds lists, and a host may come from ever new folders. Whoever still listens keeps its own. */
  #makeWay(): void {
    const { roomsMax } = this.#options.limits;
    for (const [key, { promise }] of this.#rooms) {
      if (this.#rooms.size < roomsMax) return;
      this.#rooms.delete(key);
      ignore(promise.then(leave), 'a room that never opened needs no end');
    }
  }
}

function leave({ changes }: Room): void {
  if (changes.listeners === 0) changes.close();
}

/** What failed is tried again by the next one. */
function kept<T>(all: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const made = make();
  all.set(key, made);
  made.then(undefined, () => all.delete(key));
  return made;
}
