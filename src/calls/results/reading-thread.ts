import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError, type ErrorView } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { ReadAnswer, ReadRequest } from './read.ts';

/** What the thread is given. */
export interface ThreadStart {
  readonly pieces: readonly string[];
  readonly request: ReadRequest;
  readonly limits: Limits;
}

export type ThreadAnswer =
  | { readonly kind: 'read'; readonly answer: ReadAnswer }
  | { readonly kind: 'failed'; readonly error: ErrorView };

/**
 * Reads a stored result in a thread of its own: parsing many megabytes, a regular expression or a
 * JSONPath that takes long must not hold up calls. It is ended when it takes too long.
 */
export async function readInThread(start: ThreadStart, clock: Clock): Promise<ReadAnswer> {
  const { limits } = start;
  const thread = new Worker(
    new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    { workerData: start, env: {}, resourceLimits: { maxOldGenerationSizeMb: limits.resultReadMemoryMb } },
  );
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>();
  const cancelTimer = clock.after(limits.resultReadMs, () => reject(tooMuch(start.request, limits)));
  thread.once('message', (said: ThreadAnswer) => {
    if (said.kind === 'read') resolve(said.answer);
    else reject(PlugError.fromView(said.error));
  });
  thread.once('error', (error) => reject(unread(error)));
  thread.once('exit', () => reject(unread(new Error('its thread ended without an answer'))));
  try {
    return await promise;
  } finally {
    cancelTimer();
    await thread.terminate();
  }
}

function tooMuch({ kind }: ReadRequest, limits: Limits): PlugError {
  const seconds = limits.resultReadMs / 1000;
  return new PlugError('too_large', `Reading the result took longer than ${seconds} s.`, {
    owner: 'you',
    next: kind === 'page' ? 'Look for a part of it with --grep.' : 'Ask for something simpler.',
  });
}

function unread(error: unknown): PlugError {
  return new PlugError('internal', `The result could not be read: ${messageOf(error)}`, {
    owner: 'plugboard',
    cause: error,
  });
}
