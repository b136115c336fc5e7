import type { Readable } from 'node:stream';
import type { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { isBomb, tooLarge } from './answer.ts';
import { inflate } from './inflate.ts';

export interface EventStreamOptions {
  readonly encoding: string | undefined;
  readonly place: string;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** Turns what the socket threw into an error of ours. */
  readonly explain: (error: unknown) => PlugError;
  /** The stream is over though nobody here wanted that: with its error, or because the server closed it. */
  readonly onEnd: ((error?: PlugError) => void) | undefined;
}

/**
 * An event stream may last for hours and stay silent for long; what it may not do is send one
 * event without an end, which every parser keeps in memory until the blank line comes.
 */
export function eventStreamBody(source: Readable, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const unpacked = inflate(source, options.encoding, options.place);
  const iterator = unpacked.stream.iterator() as AsyncIterableIterator<Buffer>; // byte streams yield buffers
  const meter = new EventMeter();
  let total = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await iterator.next();
          if (done) {
            options.onEnd?.();
            controller.close();
            return;
          }
          total += value.length;
          if (meter.add(value) > options.limits.sseEventBytesMax || isBomb(total, unpacked, options.limits)) {
            throw tooLarge(options.place, options.limits.sseEventBytesMax);
          }
          controller.enqueue(value);
        } catch (error) {
          unpacked.stream.destroy();
          if (options.signal?.aborted) {
            controller.error(options.signal.reason);
            return;
          }
          const failure = options.explain(error);
          options.onEnd?.(failure);
          controller.error(failure);
        }
      },
      cancel() {
        unpacked.stream.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Counts the bytes since the last blank line. Lines end in LF, CR or CRLF. */
class EventMeter {
  #bytes = 0;
  #last = 0;

  add(chunk: Buffer): number {
    const blank = Math.max(...BLANK_LINES.map((pattern) => chunk.lastIndexOf(pattern)));
    const first = chunk[0];
    // The blank line may straddle two chunks.
    const straddles = BLANK_LINES.some((pattern) => pattern[0] === this.#last && pattern[1] === first);
    if (blank >= 0) this.#bytes = chunk.length - blank - 2;
    else if (straddles) this.#bytes = chunk.length - 1;
    else this.#bytes += chunk.length;
    this.#last = chunk.at(-1) ?? this.#last;
    return this.#bytes;
  }
}

const BLANK_LINES = ['\n\n', '\r\r', '\n\r'].map((text) => Buffer.from(text));
