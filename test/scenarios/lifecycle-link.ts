import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export interface Frame {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A transport whose other side is a function: what the server would say to each message. */
export class Link implements Transport {
  readonly sent: Frame[] = [];
  onmessage?: Transport['onmessage'];
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  closed = 0;
  readonly #hear: (frame: Frame, link: Link) => void;

  constructor(hear: (frame: Frame, link: Link) => void) {
    this.#hear = hear;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const frame = message as Frame; // the same JSON, loosely typed
    this.sent.push(frame);
    this.#hear(frame, this);
    return Promise.resolve();
  }

  say(frame: Frame): void {
    this.onmessage?.({ jsonrpc: '2.0', ...frame } as JSONRPCMessage); // may be wrong on purpose
  }

  /** Answers after what is running now. */
  answer(frame: Frame, result: unknown): void {
    const { id } = frame;
    if (id !== undefined) queueMicrotask(() => this.say({ id, result }));
  }

  /** The other side is gone. */
  drop(): void {
    this.onclose?.();
  }

  close(): Promise<void> {
    this.closed += 1;
    this.onclose?.();
    return Promise.resolve();
  }
}
