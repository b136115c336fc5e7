import type { Socket } from 'node:net';
import type { Cancel, Clock } from '../../../base/clock.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import { httpLimits } from '../limits.ts';
import { PlainConnection } from './connection.ts';

/** Where a connection came in. */
export interface Door {
  /** A request on it begins, or is over. */
  begin(): void;
  end(): void;
  /** Gives the connection to Node’s own server, for good. What was read is in it again. */
  giveAway(): void;
}

export interface PlainDoor extends Door {
  /** Takes a request, or says false: then it is somebody else’s. */
  take(request: Incoming, response: Outgoing): boolean;
}

/**
 * Connections whose requests are read by hand. Node’s own server costs more than everything that we do
 * with a call, and calls of hosts are all alike (decisions/2026-11-16-plain-requests.md).
 */
export class PlainConnections {
  readonly #clock: Clock;
  readonly #open = new Set<PlainConnection>();
  readonly #stopSweep: Cancel;
  #date = '';
  #dateSecond = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#stopSweep = clock.every(httpLimits.plainSweepMs, () => this.#sweep());
  }

  add(socket: Socket, door: PlainDoor): void {
    const connection = new PlainConnection(socket, {
      door,
      now: () => this.#clock.monotonic(),
      date: this.#dateNow,
      onGone: () => this.#open.delete(connection),
    });
    this.#open.add(connection);
  }

  /** The connections themselves end with their listener. */
  close(): void {
    this.#stopSweep();
    this.#open.clear();
  }

  #sweep(): void {
    const latest = this.#clock.monotonic() - httpLimits.plainIdleMs;
    for (const connection of this.#open) {
      if (connection.isIdle && connection.idleSince < latest) connection.destroy();
    }
  }

  /** HTTP counts seconds, so that it is written once a second. */
  readonly #dateNow = (): string => {
    const now = this.#clock.now();
    const second = Math.floor(now / 1_000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(now).toUTCString();
    }
    return this.#date;
  };
}
