import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PlugError } from '../../base/errors.ts';

/** A body as it reads after decompression, and how many packed bytes it took to get there. */
export interface Unpacked {
  readonly stream: Readable;
  readonly packedBytes: () => number;
}

/** What we ask for. `deflate` is understood but not asked for: servers disagree about its meaning. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Unpacks a body as it streams, so that the caller can stop a bomb at the first byte too many. */
export function inflate(source: Readable, encoding: string | undefined, place: string): Unpacked {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') {
    return { stream: source, packedBytes: () => Number.POSITIVE_INFINITY };
  }
  const decoder = decoderFor(name);
  if (decoder === undefined) {
    source.destroy();
    throw new PlugError('protocol_error', `${place} answered in an encoding that was not asked for.`, {
      owner: 'server',
      details: { encoding: name.slice(0, 80) },
    });
  }
  // The outcome reaches the reader as an error of the decoder itself; nothing is left to do here.
  pipeline(source, decoder, () => undefined);
  return { stream: decoder, packedBytes: () => decoder.bytesWritten };
}

function decoderFor(
  name: string,
): ((Readable & { readonly bytesWritten: number }) & NodeJS.WritableStream) | undefined {
  const chunkSize = 64 * 1024;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize });
    case 'deflate':
      return createInflate({ chunkSize });
    case 'br':
      return createBrotliDecompress({ chunkSize });
    default:
      return undefined;
  }
}
