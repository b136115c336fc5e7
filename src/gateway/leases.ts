import type { Cancel, Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { AttachedHost } from '../hub/hub.ts';
import type { GatewayLimits } from './limits.ts';

interface Seat {
  readonly host: Promise<AttachedHost>;
  /** Known once it is attached. */
  id: string | undefined;
  calls: number;
  /** Whoever listens keeps a seat, but others may sit on it meanwhile. */
  listeners: number;
  lastUsed: number;
}

/** Whose seats they are. */
export interface Sitter {
  readonly who: string;
  /** Aborts when the host has gone, where that can be known: its seats go with it. */
  readonly gone?: AbortSignal | undefined;
  readonly attach: () => Promise<AttachedHost>;
}

export interface Lease {
  readonly host: string;
  release(): void;
}

/**
 * A modern host has no session, but what a server must not share is kept for somebody. Each call
 * takes a free seat of its host, so that a question of such a server belongs to one call only; calls
 * one after the other take the same seat, and find the server as they left it.
 */
export class Leases {
  readonly #clock: Clock;
  readonly #limits: GatewayLimits;
  readonly #seats = new Map<string, Seat[]>();
  readonly #stop: Cancel;

  constructor(options: { readonly clock: Clock; readonly limits: GatewayLimits }) {
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#stop = options.clock.every(options.limits.modernHostIdleMs / 4, () => this.#sweep());
  }

  /** A promise only when a seat has to be made. `alone`: nobody else sits on it meanwhile. */
  take(sitter: Sitter, alone: boolean): Lease | Promise<Lease> {
    const seats = this.#seatsOf(sitter);
    const free = alone ? seats.find(({ calls }) => calls === 0) : seats[0];
    const seat =
      free ??
      (seats.length < this.#limits.modernHostLeasesMax ? this.#make(seats, sitter) : leastBusy(seats));
    seat.calls += 1;
    if (seat.id !== undefined) return this.#lease(seat, 'calls', seat.id);
    return this.#attached(seat, 'calls');
  }

  /** The seat that calls take first, for somebody who only listens. */
  stay(sitter: Sitter): Promise<Lease> {
    const seats = this.#seatsOf(sitter);
    const seat = seats[0] ?? this.#make(seats, sitter);
    seat.listeners += 1;
    return this.#attached(seat, 'listeners');
  }

  async close(): Promise<void> {
    this.#stop();
    const seats = [...this.#seats.values()].flat();
    this.#seats.clear();
    await Promise.allSettled(seats.map(async ({ host }) => (await host).close()));
  }

  #seatsOf({ who, gone }: Sitter): Seat[] {
    const known = this.#seats.get(who);
    if (known) return known;
    const seats: Seat[] = [];
    this.#seats.set(who, seats);
    const leave = (): void => {
      if (this.#seats.get(who) === seats) this.#seats.delete(who);
      for (const seat of seats) end(seat);
    };
    gone?.addEventListener('abort', leave, { once: true });
    return seats;
  }

  async #attached(seat: Seat, as: 'calls' | 'listeners'): Promise<Lease> {
    const { id } = await seat.host;
    seat.id = id;
    return this.#lease(seat, as, id);
  }

  #lease(seat: Seat, as: 'calls' | 'listeners', host: string): Lease {
    return {
      host,
      release: () => {
        seat[as] -= 1;
        seat.lastUsed = this.#clock.monotonic();
      },
    };
  }

  #make(seats: Seat[], { attach }: Sitter): Seat {
    const lastUsed = this.#clock.monotonic();
    const seat: Seat = { host: attach(), id: undefined, calls: 0, listeners: 0, lastUsed };
    seats.push(seat);
    // One that could not be attached is nobody's seat: the next call tries anew.
    seat.host.then(undefined, () => seats.splice(seats.indexOf(seat), 1));
    return seat;
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - this.#limits.modernHostIdleMs;
    for (const [who, seats] of this.#seats) {
      const kept = seats.filter((seat) => {
        if (seat.calls > 0 || seat.listeners > 0 || seat.lastUsed > oldest) return true;
        end(seat);
        return false;
      });
      if (kept.length > 0) this.#seats.set(who, kept);
      else this.#seats.delete(who);
    }
  }
}

function end({ host }: Seat): void {
  ignore(
    host.then((attached) => attached.close()),
    'a host that could not be attached needs no end',
  );
}

/** With no room for another seat, calls share: their questions still reach the same host. */
function leastBusy(seats: readonly Seat[]): Seat {
  const [first, ...rest] = seats;
  if (!first) throw new Error('Invariant broken: there is no seat at all');
  return rest.reduce((least, seat) => (seat.calls < least.calls ? seat : least), first);
}
