import type { Socket } from 'node:net';
import type { Cancel, Clock } from '../../../base/clock.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import { httpLimits } from '../limits.ts';
import { guarded } from '../../../base/faults.ts';
import { PlainRequest, readHead, type PlainHead, PlainResponse } from './exchange.ts';

export interface Door {
  begin(): void;
  end(): void;
  /** Hands the connection to Node for good, with what was read put back. */
  giveAway(): void;
}

export interface PlainDoor extends Door {
  /** False if the request isn't ours. */
  take(request: Incoming, response: Outgoing): boolean;
}

/** Node's server costs more than the rest of a call: decisions/2026-11-16-plain-requests.md. */
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
    this.#open.add(new PlainConnection(socket, door, this));
  }

  /** Closed or handed over. */
  delete(connection: PlainConnection): void {
    this.#open.delete(connection);
  }

  now(): number {
    return this.#clock.monotonic();
  }

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

  /** HTTP dates have seconds: formatted once a second. */
  readonly date = (): string => {
    const now = this.#clock.now();
    const second = Math.floor(now / 1_000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(now).toUTCString();
    }
    return this.#date;
  };
}

/** Serves plain requests, each in one piece and after the previous answer; anything else goes to Node. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #door: PlainDoor;
  readonly #all: PlainConnections;
  #head: PlainHead | undefined;
  #response: PlainResponse | undefined;
  /** Data came before the answer: pipelining is left to Node and its bounds. */
  #hasMore = false;
  /** Monotonic. */
  idleSince: number;

  constructor(socket: Socket, door: PlainDoor, all: PlainConnections) {
    this.#socket = socket;
    this.#door = door;
    this.#all = all;
    this.idleSince = all.now();
    socket.on('data', this.#read).on('end', this.#ended).on('close', this.#closed).on('error', this.#failed);
  }

  get isIdle(): boolean {
    return this.#response === undefined && this.#socket.writableLength === 0;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#response) return this.#putBack(bytes);
    const headEnd = bytes.indexOf(HEAD_END);
    // A client that hasn't read the last answer isn't plain either.
    const isNext = headEnd >= 0 && !this.#socket.writableNeedDrain;
    const head = isNext ? readHead(bytes, headEnd, this.#head) : undefined;
    const bodyAt = headEnd + HEAD_END.length;
    const end = bodyAt + (head?.bodyBytes ?? 0);
    if (!head || end > bytes.length) return this.#giveAway(bytes);
    this.#head = head;
    if (end < bytes.length) this.#putBack(bytes.subarray(end));
    const request = new PlainRequest(head, bytes.subarray(bodyAt, end), this.#socket);
    if (!this.#begin(request, head.stays)) this.#giveAway(bytes.subarray(0, end));
  }

  /** A failure here is outside any request: only the connection is left to end. */
  readonly #read: (bytes: Buffer) => void = guarded(
    'a plain request',
    (bytes: Buffer) => this.#take(bytes),
    () => this.#socket.destroy(),
  );

  #begin(request: PlainRequest, stays: boolean): boolean {
    const { date } = this.#all;
    this.#response = new PlainResponse({ socket: this.#socket, stays, date, onOver: this.#answered });
    this.#door.begin();
    if (this.#door.take(request, this.#response)) return true;
    this.#response = undefined;
    this.#door.end();
    return false;
  }

  readonly #answered = (stays: boolean): void => {
    this.#response = undefined;
    this.idleSince = this.#all.now();
    this.#door.end();
    if (!stays) this.#socket.end();
    else if (this.#hasMore) this.#giveAway();
  };

  /** As in Node's server: a half-closed client gets no answer. */
  readonly #ended = (): void => {
    this.#response?.drop();
    this.#socket.end();
  };

  readonly #closed = (): void => {
    this.#response?.drop();
    this.#all.delete(this);
  };

  /** `close` follows, and handles it. */
  readonly #failed = (): void => undefined;

  #putBack(bytes: Buffer): void {
    this.#hasMore = true;
    this.#socket.pause();
    this.#socket.unshift(bytes);
  }

  #giveAway(bytes?: Buffer): void {
    const socket = this.#socket;
    socket.off('data', this.#read).off('end', this.#ended).off('close', this.#closed);
    if (bytes) this.#putBack(bytes);
    this.#all.delete(this);
    this.#door.giveAway();
    socket.off('error', this.#failed);
    socket.resume();
  }
}

const HEAD_END = '\r\n\r\n';
