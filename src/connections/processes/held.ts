import type { Readable } from 'node:stream';

/**
 * Keeps what a server writes until somebody listens. When a process exits, Node throws away what
 * nobody has read yet; a listener for 'readable' holds it back, and goes when data is asked for.
 */
export function held(stream: Readable): Readable {
  const hold = (): void => undefined;
  const release = (event: string | symbol): void => {
    if (event !== 'data') return;
    stream.off('readable', hold);
    stream.off('newListener', release);
  };
  stream.on('readable', hold);
  stream.on('newListener', release);
  return stream;
}
