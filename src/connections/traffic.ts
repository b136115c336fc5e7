import type { Clock } from '../base/clock.ts';
import { isObject } from '../base/json.ts';

/** One JSON-RPC message between the hub and a server. */
export interface TrafficMessage {
  /** Counts up for each server; the next page starts after it. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly from: 'hub' | 'server';
  readonly kind: 'request' | 'result' | 'error' | 'notification';
  /** Of an answer: that of its request, unless it was sent before recording began. */
  readonly method?: string;
  readonly id?: string;
  /** Of an answer: since its request. */
  readonly tookMs?: number;
  /** Which of the server's sessions it belongs to. */
  readonly session: number;
  /** Length of the message as JSON. */
  readonly chars: number;
  /** As JSON, without secrets; its beginning, if it is long. */
  readonly text: string;
}

export interface RecordedTraffic {
  /** Epoch milliseconds; absent while nothing is recorded. */
  readonly since?: number;
  /** Oldest first. */
  readonly messages: readonly TrafficMessage[];
  /** Older ones that were let go of, to stay within bounds. */
  readonly dropped: number;
}

export type FrameListener = (from: TrafficMessage['from'], frame: object) => void;

interface TrafficOptions {
  readonly clock: Clock;
  /** A copy without secrets: what is kept holds none. */
  readonly hideSecrets: <T>(value: T) => T;
  /** There is more to read, or nothing any more. */
  readonly onChange: (server: string) => void;
}

/** Messages of those servers that somebody wants to look at, in memory only. Nothing is kept by default. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #recordings = new Map<string, Recording>();
  #sessions = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Begins anew where it is on already. The server that was recorded for the longest makes room. */
  begin(server: string): void {
    this.#recordings.delete(server);
    const [longest] = this.#recordings.keys();
    if (this.#recordings.size >= SERVERS_MAX && longest !== undefined) this.#recordings.delete(longest);
    this.#recordings.set(server, new Recording(this.#options));
    this.#options.onChange(server);
  }

  end(server: string): void {
    if (this.#recordings.delete(server)) this.#options.onChange(server);
  }

  read(server: string, after = 0): RecordedTraffic {
    return this.#recordings.get(server)?.read(after) ?? { messages: [], dropped: 0 };
  }

  /** Hears one session of these servers. Every message of every call comes by here. */
  listener(servers: ReadonlySet<string>): FrameListener {
    this.#sessions += 1;
    const session = this.#sessions;
    return (from, frame) => {
      if (this.#recordings.size === 0) return;
      for (const server of servers) {
        const recording = this.#recordings.get(server);
        if (!recording) continue;
        recording.add(from, session, frame);
        this.#options.onChange(server);
      }
    };
  }
}

const SERVERS_MAX = 10;
const MESSAGES_MAX = 500;
const CHARS_MAX = 4 * 1024 * 1024;
const MESSAGE_CHARS_MAX = 64 * 1024;
const OPEN_REQUESTS_MAX = 1_000;

type Direction = TrafficMessage['from'];

interface Asked {
  readonly method: string;
  readonly at: number;
}

class Recording {
  readonly #options: TrafficOptions;
  readonly #since: number;
  readonly #messages: TrafficMessage[] = [];
  readonly #asked = new Map<string, Asked>();
  #chars = 0;
  #seq = 0;
  #dropped = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  read(after: number): RecordedTraffic {
    const messages = this.#messages.filter(({ seq }) => seq > after);
    return { since: this.#since, messages, dropped: this.#dropped };
  }

  add(from: Direction, session: number, frame: object): void {
    const { clock, hideSecrets } = this.#options;
    const { method, id, error } = frame as { method?: unknown; id?: unknown; error?: unknown }; // any frame
    const named = typeof method === 'string' ? method : undefined;
    const key = isId(id) ? JSON.stringify(id) : undefined;
    const asked = named === undefined && key !== undefined ? this.#answered(from, session, key) : undefined;
    const now = clock.monotonic();
    if (named !== undefined && key !== undefined) this.#ask(`${session} ${from} ${key}`, named, now);
    const whole = JSON.stringify(hideSecrets(frame));
    const text = whole.slice(0, MESSAGE_CHARS_MAX);
    this.#seq += 1;
    this.#chars += text.length;
    this.#messages.push({
      seq: this.#seq,
      at: clock.now(),
      from,
      kind: named === undefined ? endOf(error) : key === undefined ? 'notification' : 'request',
      ...((named ?? asked?.method) === undefined ? {} : { method: named ?? asked?.method ?? '' }),
      ...(key === undefined ? {} : { id: key }),
      ...(asked ? { tookMs: now - asked.at } : {}),
      session,
      chars: whole.length,
      text,
    });
    while (this.#messages.length > MESSAGES_MAX || this.#chars > CHARS_MAX) {
      this.#chars -= this.#messages.shift()?.text.length ?? 0;
      this.#dropped += 1;
    }
  }

  #ask(key: string, method: string, at: number): void {
    const [oldest] = this.#asked.keys();
    if (this.#asked.size >= OPEN_REQUESTS_MAX && oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.set(key, { method, at });
  }

  /** Each side counts its own requests: an answer belongs to one of the other side. */
  #answered(from: Direction, session: number, id: string): Asked | undefined {
    const key = `${session} ${from === 'hub' ? 'server' : 'hub'} ${id}`;
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    return asked;
  }
}

function endOf(error: unknown): 'result' | 'error' {
  return isObject(error) ? 'error' : 'result';
}

function isId(id: unknown): boolean {
  return id !== undefined && id !== null;
}
