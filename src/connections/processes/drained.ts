import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Limits } from '../../base/limits.ts';
import { within } from './within.ts';

/**
 * Waits until what an ended server has written was read. Usually the stream ends; but a process
 * that the server left behind may hold it open for ever, so two quiet spells in a row count too.
 * Whoever wants the output listens before calling this. Two, because a busy hub may have spent the first one without looking at the stream.
 */
export async function drained(
  stream: Readable,
  options: { readonly clock: Clock; readonly limits: Limits },
): Promise<void> {
  const { clock, limits } = options;
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  stream.on('data', count);
  const ended = new Promise<void>((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    else stream.once('end', resolve).once('close', resolve);
  });
  const until = clock.monotonic() + limits.exitDrainMs;
  for (let quiet = 0; quiet < 2 && clock.monotonic() < until;) {
    const before = bytes;
    if (await within(ended, limits.exitDrainQuietMs, clock)) break;
    quiet = bytes === before ? quiet + 1 : 0;
  }
  stream.off('data', count);
}
