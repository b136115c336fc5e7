/** Fans values out. A slow reader loses the oldest and is told how many, so that memory stays bounded. */
export class Broadcast<T> {
  readonly #readers = new Set<Reader<T>>();
  readonly #queueMax: number;
  #closed = false;

  constructor(queueMax: number) {
    this.#queueMax = queueMax;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Whether any reader wants it: an expensive value is not made for none. */
  isWanted(value: T): boolean {
    for (const { wants } of this.#readers) if (!wants || wants(value)) return true;
    return false;
  }

  send(value: T): void {
    for (const reader of this.#readers) reader.push(value);
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.end();
  }

  /** Yields every value sent from this call on; ends when the signal aborts or on close(). */
  read(options: ReadOptions<T>): AsyncIterableIterator<T> {
    const reader = new Reader<T>(this.#queueMax, options, () => {
      this.#readers.delete(reader);
      options.signal?.removeEventListener('abort', abort);
    });
    const abort = (): void => reader.end();
    if (this.#closed || options.signal?.aborted) reader.end();
    else {
      this.#readers.add(reader);
      options.signal?.addEventListener('abort', abort, { once: true });
    }
    return reader;
  }
}

interface ReadOptions<T> {
  readonly signal?: AbortSignal | undefined;
  readonly onDropped?: (count: number) => void;
  readonly wants?: ((value: T) => boolean) | undefined;
}

class Reader<T> implements AsyncIterableIterator<T> {
  readonly #queue: T[] = [];
  readonly #queueMax: number;
  readonly #onDropped: ReadOptions<T>['onDropped'];
  readonly wants: ReadOptions<T>['wants'];
  readonly #onEnd: () => void;
  #waiting: ((result: IteratorResult<T>) => void) | undefined;
  #dropped = 0;
  #ended = false;

  constructor(queueMax: number, options: ReadOptions<T>, onEnd: () => void) {
    this.#queueMax = queueMax;
    this.#onDropped = options.onDropped;
    this.wants = options.wants;
    this.#onEnd = onEnd;
  }

  push(value: T): void {
    if (this.#ended || (this.wants && !this.wants(value))) return;
    if (this.#waiting) {
      this.#waiting({ value, done: false });
      this.#waiting = undefined;
      return;
    }
    this.#queue.push(value);
    if (this.#queue.length > this.#queueMax) {
      this.#queue.shift();
      this.#dropped += 1;
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd();
    this.#waiting?.({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#dropped > 0) {
      this.#onDropped?.(this.#dropped);
      this.#dropped = 0;
    }
    if (this.#queue.length > 0) {
      return Promise.resolve({ value: this.#queue.shift() as T, done: false }); // length was checked
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
