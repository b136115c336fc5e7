import type { Cancel, Clock } from '../../base/clock.ts';
import type { Outgoing } from './exchange.ts';
import type { Bounds } from './limits.ts';
import { EventStream, type EventStreamOptions, type ReplyStream } from './reply.ts';

/**
 * The streams of one session's requests. A host whose connection broke comes back with the id of the last
 * event it saw and gets the rest (2025-11-25, Streamable HTTP, “Resumability and Redelivery”).
 */
export class Resumables {
  readonly #clock: Clock;
  readonly #bounds: Bounds;
  /** In order of their beginning. */
  readonly #streams = new Map<string, Resumable>();
  #count = 0;

  constructor(clock: Clock, bounds: Bounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  open(response: Outgoing, options: EventStreamOptions, onLost: () => void): ReplyStream {
    this.#count += 1;
    const key = String(this.#count);
    const onGone = (): unknown => this.#streams.delete(key);
    const made = new Resumable({ ...this.#bounds, key, clock: this.#clock, onGone, onLost });
    this.#streams.set(key, made);
    made.continueOn(response, options, 0);
    this.#dropOldest();
    return made;
  }

  /** Undefined for an event that is none of ours; false where nothing is left to be said. */
  resume(lastEventId: string, response: Outgoing, options: EventStreamOptions): boolean | undefined {
    const [, key, at] = EVENT_ID.exec(lastEventId) ?? [];
    if (key === undefined) return undefined;
    const found = this.#streams.get(key);
    if (!found?.hasAfter(Number(at))) return false;
    found.continueOn(response, options, Number(at) + 1);
    return true;
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.lose();
  }

  #dropOldest(): void {
    if (this.#streams.size <= this.#bounds.resumablesMax) return;
    for (const stream of this.#streams.values()) if (stream.isLeft) return stream.lose();
  }
}

const EVENT_ID = /^(\d{1,15})-(\d{1,9})$/;

interface ResumableOptions extends Pick<Bounds, 'resumableBytesMax' | 'resumeMs' | 'reconnectMs'> {
  readonly key: string;
  readonly clock: Clock;
  /** It is not kept any more. */
  readonly onGone: () => void;
  /** Before it was ended. */
  readonly onLost: () => void;
}

/** Keeps what it said, within a bound, until its host has surely read it. */
class Resumable implements ReplyStream {
  readonly isKept = true;
  readonly #options: ResumableOptions;
  #events: string[] = [];
  #bytes = 0;
  #stream: EventStream | undefined;
  #isEnded = false;
  #isLost = false;
  /** Set while no connection carries it: its host has gone, or has read it all. */
  #stopWaiting: Cancel | undefined;

  constructor(options: ResumableOptions) {
    this.#options = options;
  }

  get isLeft(): boolean {
    return this.#stopWaiting !== undefined;
  }

  /** An ended stream that was read to its end is not opened again: hosts would come back forever. */
  hasAfter(event: number): boolean {
    if (this.#bytes > this.#options.resumableBytesMax) return false;
    return this.#isEnded ? event < this.#events.length : event <= this.#events.length;
  }

  continueOn(response: Outgoing, options: EventStreamOptions, from: number): void {
    const older = this.#stream;
    const stream = new EventStream(response, options);
    this.#stream = stream;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    older?.end();
    response.onClose(() => this.#left(stream));
    if (from === 0) stream.prime(this.#id(0), this.#options.reconnectMs);
    const missed = this.#events.slice(Math.max(0, from - 1));
    missed.forEach((text, at) => stream.send(text, 'message', this.#id(from + at)));
    if (this.#isEnded) stream.end();
  }

  send(text: string): boolean {
    if (this.#isEnded || this.#isLost) return false;
    this.#bytes += text.length;
    const isKept = this.#bytes <= this.#options.resumableBytesMax;
    const id = this.#id(this.#events.push(isKept ? text : ''));
    if (!isKept) this.#events.fill('');
    const isSent = this.#stream?.send(text, 'message', id) ?? false;
    return isSent || isKept;
  }

  beat(): void {
    this.#stream?.beat();
  }

  end(): void {
    this.#isEnded = true;
    this.#stream?.end();
  }

  /** Nobody comes back for it. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#stopWaiting?.();
    this.#options.onGone();
    this.#events = [];
    this.#stream?.end();
    if (!this.#isEnded) this.#options.onLost();
  }

  #left(stream: EventStream): void {
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    const { clock, resumeMs, resumableBytesMax } = this.#options;
    if (this.#bytes > resumableBytesMax) this.lose();
    else if (!this.#isLost) this.#stopWaiting = clock.after(resumeMs, () => this.lose());
  }

  #id(event: number): string {
    return `${this.#options.key}-${event}`;
  }
}
