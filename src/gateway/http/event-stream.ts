import { type Place, Line } from '../../base/line.ts';
import type { Outgoing } from './exchange.ts';
import { respondStream } from './respond.ts';
import type { Clock } from '../../base/clock.ts';

export interface EventStreamOptions {
  readonly beats: Heartbeats;
  /** Beyond it, the stream of a host that doesn't read is ended. */
  readonly unreadBytesMax: number;
  readonly headers?: readonly string[];
}

export class EventStream implements Beating {
  readonly #response: Outgoing;
  readonly #options: EventStreamOptions;
  readonly #place: Place<Beating>;
  #open = true;

  constructor(response: Outgoing, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
    respondStream(response, options.headers);
    this.#place = options.beats.add(this);
    response.onClose(() => this.#closed());
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** False when the host has gone, or is disconnected now because it doesn't read. */
  send(text: string, event = 'message'): boolean {
    if (!this.#open) return false;
    // One message may be of any size; a backlog may not.
    if (this.#response.unread > this.#options.unreadBytesMax) {
      this.#closed();
      this.#response.destroy();
      return false;
    }
    // JSON has no line breaks: `data` is always one line.
    this.#response.write(`event: ${event}\ndata: ${text}\n\n`);
    return true;
  }

  /** A comment keeps proxies from closing the stream, and flushes the headers. */
  beat(): void {
    if (this.#open && this.#response.unread === 0) this.#response.write(': still here\n\n');
  }

  end(): void {
    if (!this.#open) return;
    this.#closed();
    this.#response.end();
  }

  #closed(): void {
    this.#open = false;
    this.#options.beats.delete(this.#place);
  }
}

export interface Beating {
  beat(): void;
}

/** One timer for all open answers: most end before its first beat. */
export class Heartbeats {
  readonly #beating = new Line<Beating>();
  readonly #stop: () => void;

  constructor(clock: Clock, everyMs: number) {
    this.#stop = clock.every(everyMs, () => {
      for (const one of this.#beating) one.beat();
    });
  }

  add(one: Beating): Place<Beating> {
    return this.#beating.add(one);
  }

  delete(place: Place<Beating>): void {
    this.#beating.delete(place);
  }

  close(): void {
    this.#stop();
    this.#beating.clear();
  }
}
