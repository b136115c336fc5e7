import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { inThread } from '../../base/thread.ts';
import type { ReadAnswer, ReadRequest } from './read.ts';

export interface ThreadStart {
  readonly pieces: readonly string[];
  readonly request: ReadRequest;
  readonly limits: Limits;
}

/** In a thread with a time limit: parsing and searching megabytes must not hold up calls. */
export function readInThread(start: ThreadStart, clock: Clock): Promise<ReadAnswer> {
  const { limits } = start;
  return inThread<ReadAnswer>(import.meta.url, {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: limits.resultReadMemoryMb },
    timeoutMs: limits.resultReadMs,
    clock,
    late: () => tooMuch(start.request, limits),
    broken: unread,
  });
}

function tooMuch({ kind }: ReadRequest, limits: Limits): PlugError {
  const seconds = limits.resultReadMs / 1000;
  return new PlugError('too_large', `Reading the result took longer than ${seconds} s.`, {
    owner: 'you',
    remedy:
      kind === 'page'
        ? { do: 'say', text: 'Look for a part of it with --grep.' }
        : { do: 'say', text: 'Ask for something simpler.' },
  });
}

function unread(error: unknown): PlugError {
  return new PlugError('internal', `The result could not be read: ${messageOf(error)}`, {
    owner: 'plugboard',
    cause: error,
  });
}
