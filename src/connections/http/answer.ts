import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { inflate, type Unpacked } from './inflate.ts';

export interface AnswerOptions {
  readonly encoding: string | undefined;
  readonly contentLength: string | undefined;
  /** Host and port, for messages. */
  readonly place: string;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Reads a whole answer into memory: unpacked, within its size, and within its time. */
export function readAnswer(source: Readable, options: AnswerOptions): Promise<Buffer> {
  const { limits, place } = options;
  if (Number(options.contentLength) > limits.httpAnswerBytesMax) {
    source.destroy();
    throw tooLarge(place, limits.httpAnswerBytesMax);
  }
  const unpacked = inflate(source, options.encoding, place);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = watchTime(
      options,
      () => bytes,
      (error) => unpacked.stream.destroy(error),
    );
    unpacked.stream
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.httpAnswerBytesMax) {
          unpacked.stream.destroy(tooLarge(place, limits.httpAnswerBytesMax));
        } else if (isBomb(bytes, unpacked, limits)) {
          unpacked.stream.destroy(tooLarge(place, limits.inflateFreeBytes));
        } else {
          chunks.push(chunk);
        }
      })
      .once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)))
      .once('error', reject)
      .once('close', () => {
        stop();
        // After `end` this changes nothing; without it the body was cut off in silence.
        reject(Object.assign(new Error('body ended early'), { code: 'ECONNRESET' }));
      });
  });
}

/** An answer far larger than what was sent for it was made to fill memory. */
export function isBomb(bytes: number, unpacked: Unpacked, limits: Limits): boolean {
  return bytes > limits.inflateFreeBytes && bytes > unpacked.packedBytes() * limits.inflateRatioMax;
}

export function tooLarge(place: string, bytesMax: number): PlugError {
  const megabytes = Math.max(1, Math.round(bytesMax / (1024 * 1024)));
  return new PlugError('too_large', `${place} sent more than the ${megabytes} MB allowed for one answer.`, {
    owner: 'server',
    remedy: 'Ask the tool for less: a filter, a page, a smaller range.',
    details: { host: place, bytesMax },
  });
}

/** One timer serves both bounds: no byte for too long, and too long in all. */
function watchTime(
  options: AnswerOptions,
  bytes: () => number,
  fail: (error: PlugError) => void,
): () => void {
  const { clock, limits, place } = options;
  const endAt = clock.monotonic() + limits.httpBodyTotalMs;
  let seen = 0;
  const look = (): void => {
    const now = clock.monotonic();
    if (now >= endAt || bytes() === seen) {
      fail(
        new PlugError('call_timeout', `${place} began its answer and did not finish it in time.`, {
          owner: 'server',
          details: { host: place },
        }),
      );
      return;
    }
    seen = bytes();
    cancel = clock.after(Math.min(limits.httpBodyIdleMs, endAt - now), look);
  };
  let cancel = clock.after(Math.min(limits.httpBodyIdleMs, limits.httpBodyTotalMs), look);
  return () => cancel();
}
