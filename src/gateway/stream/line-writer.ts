import type { Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { guarded } from '../../base/faults.ts';
import type { StreamLimits } from './limits.ts';

export interface LineWriterOptions {
  readonly stream: Writable;
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly unreadBytesMax: number;
  readonly onDrain: () => void;
  readonly onStalled: () => void;
}

/** Lines of one turn go out together; the backlog is bounded. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  #queue: (string | Buffer)[] = [];
  #queuedBytes = 0;
  #blocked = false;
  #scheduled = false;
  #ended = false;
  #takenAt: number;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#takenAt = options.clock.monotonic();
    const drained = (): void => {
      this.#blocked = false;
      this.#takenAt = options.clock.monotonic();
      this.#flush();
      options.onDrain();
    };
    options.stream.on(
      'drain',
      guarded('an answer to a host', drained, () => options.stream.destroy()),
    );
  }

  /** Characters for queued text: counting bytes costs a walk over each. */
  get unreadBytes(): number {
    return this.#queuedBytes + this.#options.stream.writableLength;
  }

  write(line: string): void {
    if (this.#ended) return;
    if (this.#isStalled()) {
      this.#drop();
      this.#options.onStalled();
      return;
    }
    this.#keep(`${line}\n`);
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#blocked = false;
    this.#flush();
    this.#options.stream.end();
  }

  #isStalled(): boolean {
    const { limits, unreadBytesMax, clock } = this.#options;
    const { unreadBytes } = this;
    if (unreadBytes <= unreadBytesMax) return false;
    return (
      unreadBytes > limits.unreadBurstBytesMax || clock.monotonic() - this.#takenAt > limits.unreadStalledMs
    );
  }

  #drop(): void {
    this.#ended = true;
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  #keep(text: string): void {
    const { pieceBytes } = this.#options.limits;
    if (text.length <= pieceBytes) {
      this.#queue.push(text);
      this.#queuedBytes += text.length;
      return;
    }
    const bytes = Buffer.from(text);
    this.#queuedBytes += bytes.length;
    for (let at = 0; at < bytes.length; at += pieceBytes)
      this.#queue.push(bytes.subarray(at, at + pieceBytes));
  }

  #flush(): void {
    const { stream, limits } = this.#options;
    const queue = this.#queue;
    let next = 0;
    while (!this.#blocked && next < queue.length && !stream.destroyed) {
      let batch = queue[next++] as string | Buffer; // the index was checked
      for (
        let more = queue[next];
        typeof batch === 'string' && typeof more === 'string';
        more = queue[next]
      ) {
        if (batch.length + more.length > limits.batchChars) break;
        batch += more;
        next += 1;
      }
      this.#queuedBytes -= batch.length;
      // After the end the stream buffers the rest.
      this.#blocked = !stream.write(batch) && !this.#ended;
    }
    this.#queue = next < queue.length ? queue.slice(next) : [];
  }
}
