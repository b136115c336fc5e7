import type { Place } from '../../base/line.ts';
import type { Outgoing } from './exchange.ts';
import { EventStream, type EventStreamOptions, type Beating } from './event-stream.ts';
import { respondJson } from './respond.ts';

/** The way back to a host for one request of its. */
export interface ReplyChannel {
  /** Whether anything but the answer can be sent. */
  readonly takesEvents: boolean;
  /** Sends a message beside the answer; false when it cannot be. */
  send(text: string): boolean;
  /** Ends the way. `undefined` when there is nothing to say, as the host has cancelled. */
  answer(text: string | undefined, status: number): void;
}

export interface ReplyOptions {
  /** For whatever is said before the answer. */
  readonly stream: EventStreamOptions;
  readonly accepted: Accepted;
  /** How many requests are answered here; more than one only for a batch. */
  readonly answers?: number;
  /** The host has gone before it was answered. */
  readonly onGone: () => void;
}

/**
 * The HTTP answer to one POST. It is JSON as long as nothing has to be said before, and becomes a
 * stream of events with the first thing that has.
 */
export class Reply implements ReplyChannel, Beating {
  readonly #response: Outgoing;
  readonly #options: ReplyOptions;
  readonly #place: Place<Beating>;
  #stream: EventStream | undefined;
  #missing: number;
  #batch: string[] | undefined;
  #isOld = false;
  #isOver = false;

  /** Headers beside the usual ones; they leave with the first byte. */
  headers: readonly string[] = [];

  constructor(response: Outgoing, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#missing = options.answers ?? 1;
    if (options.answers !== undefined) this.#batch = [];
    this.#place = options.stream.beats.add(this);
    response.onClose(() => this.#gone());
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

  /** A host that waits for long sees a stream begin, so that nobody in between gives up on it. */
  beat(): void {
    if (this.#isOld && this.takesEvents) this.#begun().beat();
    this.#isOld = true;
  }

  #finish(text: string | undefined, status: number): void {
    const whole = this.#batch ? joined(this.#batch) : text;
    if (this.#isStreaming() || whole === undefined) {
      const stream = this.#begun();
      if (!this.#batch && text !== undefined) stream.send(text);
      stream.end();
    } else {
      respondJson(this.#response, status, whole, this.headers);
    }
  }

  /** Whether answers leave as events: they do once the stream has begun, and for who takes nothing else. */
  #isStreaming(): boolean {
    return this.#stream !== undefined || !this.#options.accepted.json;
  }

  #begun(): EventStream {
    if (this.#stream) return this.#stream;
    const options = this.#options.stream;
    const stream = new EventStream(this.#response, { ...options, headers: this.headers });
    // What was answered of a batch before the stream began leaves with it.
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

/** Which forms of an answer a host takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Reads an Accept header. A host that says nothing takes JSON, and is not sent a stream unasked. */
export function readAccept(header: string | undefined): Accepted {
  // What every SDK sends is not taken apart for every request.
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
