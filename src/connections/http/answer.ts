import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Bounds } from '../limits.ts';

export interface AnswerOptions extends Bounds {
  readonly encoding: string | undefined;
  readonly contentLength: string | undefined;
  readonly place: string;
}

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
    const { stream } = unpacked;
    const fail = (error: PlugError): unknown => stream.destroy(error);
    const stop = watchTime(options, () => bytes, fail);
    stream
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.httpAnswerBytesMax) fail(tooLarge(place, limits.httpAnswerBytesMax));
        else if (isBomb(bytes, unpacked, limits)) fail(tooLarge(place, limits.inflateFreeBytes));
        else chunks.push(chunk);
      })
      .once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)))
      .once('error', reject)
      .once('close', () => {
        stop();
        // After `end` this changes nothing; otherwise the body was cut off silently.
        reject(Object.assign(new Error('body ended early'), { code: 'ECONNRESET' }));
      });
  });
}

/** A body far larger than its packed bytes was made to fill memory. */
export function isBomb(bytes: number, unpacked: Unpacked, limits: Limits): boolean {
  return bytes > limits.inflateFreeBytes && bytes > unpacked.packedBytes() * limits.inflateRatioMax;
}

export function tooLarge(place: string, bytesMax: number): PlugError {
  const megabytes = Math.max(1, Math.round(bytesMax / (1024 * 1024)));
  return new PlugError('too_large', `${place} sent more than the ${megabytes} MB allowed for one answer.`, {
    owner: 'server',
    remedy: 'Request less: a filter, a page or a smaller range.',
    details: { host: place, bytesMax },
  });
}

/** One timer serves both bounds: no byte for too long, and too long in all. */
function watchTime(
  { clock, limits, place }: AnswerOptions,
  bytes: () => number,
  fail: (error: PlugError) => void,
): () => void {
  const endAt = clock.monotonic() + limits.httpBodyTotalMs;
  let seen = 0;
  const look = (): void => {
    const now = clock.monotonic();
    if (now >= endAt || bytes() === seen) {
      const message = `${place} began its answer and did not finish it in time.`;
      return fail(new PlugError('call_timeout', message, { owner: 'server', details: { host: place } }));
    }
    seen = bytes();
    cancel = clock.after(Math.min(limits.httpBodyIdleMs, endAt - now), look);
  };
  let cancel = clock.after(Math.min(limits.httpBodyIdleMs, limits.httpBodyTotalMs), look);
  return () => cancel();
}

/** A decompressed body, and how many packed bytes it took so far. */
export interface Unpacked {
  readonly stream: Readable;
  readonly packedBytes: () => number;
}

/** `deflate` is understood but not asked for: servers disagree about its meaning. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Unpacks as it streams, so that the caller can stop a bomb at the first byte too many. */
export function inflate(source: Readable, encoding: string | undefined, place: string): Unpacked {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return { stream: source, packedBytes: () => Infinity };
  const decoder = DECODERS.get(name)?.({ chunkSize: 64 * 1024 });
  if (decoder === undefined) {
    source.destroy();
    throw new PlugError('protocol_error', `${place} answered in an encoding that was not asked for.`, {
      owner: 'server',
      details: { encoding: name.slice(0, 80) },
    });
  }
  // A failure reaches the reader as an error of the decoder itself.
  pipeline(source, decoder, () => undefined);
  return { stream: decoder, packedBytes: () => decoder.bytesWritten };
}

type Decoder = (options: { readonly chunkSize: number }) => ReturnType<typeof createGunzip>;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);
