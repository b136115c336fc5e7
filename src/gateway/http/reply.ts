import type { Line, LinePlace } from '../../base/line.ts';
import { type Outgoing, respondJson, respondStream } from './exchange.ts';

export interface ReplyChannel {
  /** Whether it can carry more than the answer. */
  readonly takesEvents: boolean;
  send(text: string): boolean;
  /** `undefined`: nothing to say, as the host has cancelled. */
  answer(text: string | undefined, status: number): void;
}

/** The event stream of one answer. */
export interface ReplyStream extends Beating {
  /** The host may come back for the rest when its connection breaks. */
  readonly isKept: boolean;
  send(text: string): boolean;
  end(): void;
}

export type OpenKept = (response: Outgoing, options: EventStreamOptions, onLost: () => void) => ReplyStream;

export interface ReplyOptions {
  readonly stream: EventStreamOptions;
  readonly accepted: Accepted;
  readonly answers?: number;
  /** For hosts that come back when their connection breaks. */
  readonly openKept?: OpenKept | undefined;
  readonly onGone: () => void;
}

/** JSON, unless something must be said before the answer: then it becomes an event stream. */
export class Reply implements ReplyChannel, Beating {
  readonly #response: Outgoing;
  readonly #options: ReplyOptions;
  readonly #place: LinePlace<Beating>;
  #stream: ReplyStream | undefined;
  #missing: number;
  #batch: string[] | undefined;
  #isOld = false;
  #isOver = false;

  headers: readonly string[] = [];

  constructor(response: Outgoing, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#missing = options.answers ?? 1;
    if (options.answers !== undefined) this.#batch = [];
    this.#place = options.stream.beats.add(this);
    response.onClose(() => {
      if (!this.#stream?.isKept) this.#gone();
    });
  }

  get takesEvents(): boolean {
    return this.#options.accepted.events && !this.#isOver;
  }

  send(text: string): boolean {
    return this.takesEvents && this.#begun().send(text);
  }

  answer(text: string | undefined, status: number): void {
    if (this.#isOver) return;
    if (this.#batch && text !== undefined) {
      if (this.#isStreaming()) this.#begun().send(text);
      else this.#batch.push(text);
    }
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#isOver = true;
    this.#options.stream.beats.delete(this.#place);
    this.#finish(text, status);
  }

  /** A long wait starts a stream, so that proxies don't give up. */
  beat(): void {
    if (this.#isOld && this.takesEvents) this.#begun().beat();
    this.#isOld = true;
  }

  #finish(text: string | undefined, status: number): void {
    const whole = this.#batch ? joined(this.#batch) : text;
    if (whole === undefined) {
      // Nothing is left to come back for.
      (this.#stream ?? new EventStream(this.#response, this.#options.stream)).end();
    } else if (this.#isStreaming()) {
      const stream = this.#begun();
      if (!this.#batch && text !== undefined) stream.send(text);
      stream.end();
    } else {
      respondJson(this.#response, status, whole, this.headers);
    }
  }

  #isStreaming(): boolean {
    return this.#stream !== undefined || !this.#options.accepted.json;
  }

  #begun(): ReplyStream {
    if (this.#stream) return this.#stream;
    const { stream: options, openKept } = this.#options;
    const given = { ...options, headers: this.headers };
    const stream =
      openKept?.(this.#response, given, () => this.#gone()) ?? new EventStream(this.#response, given);
    for (const text of this.#batch?.splice(0) ?? []) stream.send(text);
    this.#stream = stream;
    options.beats.delete(this.#place); // the stream beats by itself
    return stream;
  }

  #gone(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.stream.beats.delete(this.#place);
    this.#options.onGone();
  }
}

function joined(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
}

export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Without a header: JSON only, no unrequested stream. */
export function readAccept(header: string | undefined): Accepted {
  // What every SDK sends: not parsed each time.
  if (header === 'application/json, text/event-stream' || header === 'text/event-stream, application/json') {
    return BOTH;
  }
  if (header === undefined) return JSON_ONLY;
  let json = false;
  let events = false;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.toLowerCase().split(';');
    if (parameters.some((parameter) => REFUSED.test(parameter))) continue;
    const type = range.trim();
    if (type === '*/*' || type === 'application/json' || type === 'application/*') json = true;
    if (type === '*/*' || type === 'text/event-stream' || type === 'text/*') events = true;
  }
  return { json, events };
}

const BOTH: Accepted = { json: true, events: true };
const JSON_ONLY: Accepted = { json: true, events: false };
const REFUSED = /^\s*q\s*=\s*0(\.0*)?\s*$/;

export interface EventStreamOptions {
  /** All open answers share one timer: most end before its first beat. */
  readonly beats: Line<Beating>;
  /** Beyond it, the stream of a host that doesn't read is ended. */
  readonly unreadBytesMax: number;
  readonly headers?: readonly string[];
}

export class EventStream implements ReplyStream {
  readonly isKept = false;
  readonly #response: Outgoing;
  readonly #options: EventStreamOptions;
  readonly #place: LinePlace<Beating>;
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
  send(text: string, event = 'message', id?: string): boolean {
    if (!this.#open) return false;
    // One message may be of any size; a backlog may not.
    if (this.#response.unread > this.#options.unreadBytesMax) {
      this.#closed();
      this.#response.destroy();
      return false;
    }
    // JSON has no line breaks: `data` is always one line.
    const head = id === undefined ? '' : `id: ${id}\n`;
    this.#response.write(`${head}event: ${event}\ndata: ${text}\n\n`);
    return true;
  }

  /** An id to come back with before anything was said, and how soon to come. */
  prime(id: string, reconnectMs: number): void {
    if (this.#open) this.#response.write(`id: ${id}\nretry: ${reconnectMs}\ndata: \n\n`);
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
