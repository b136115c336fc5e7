import type { JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Limits } from '../../base/limits.ts';
import { PlugError, messageOf } from '../../base/errors.ts';
import type { GrepFound } from './grep.ts';
import { cutPage, pageCount } from './cut.ts';
import { renderParts } from './render.ts';
import type { Clock } from '../../base/clock.ts';
import { inThread } from '../../base/thread.ts';

export type ReadRequest =
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'grep'; readonly pattern: string }
  | { readonly kind: 'path'; readonly path: string };

export type ReadAnswer =
  | { readonly kind: 'page'; readonly pages: number; readonly text: string }
  | ({ readonly kind: 'grep' } & GrepFound)
  /** What was found as JSON: a thread's answer would lose the digits of numbers. */
  | { readonly kind: 'path'; readonly json: string };

/** Slow on large results: see reading-thread.ts. */
export async function readStored(json: string, request: ReadRequest, limits: Limits): Promise<ReadAnswer> {
  const result = parseJson(json) as JsonObject; // we serialized it
  if (request.kind === 'page') return readPage(result, request.page, limits);
  // Each library is loaded only by the thread that needs it.
  if (request.kind === 'grep') {
    const { grepText } = await import('./grep.ts');
    return { kind: 'grep', ...grepText(resultText(result), request.pattern, limits) };
  }
  const { findPath } = await import('./json-path.ts');
  return { kind: 'path', json: JSON.stringify(findPath(result, request.path, limits)) };
}

function readPage(result: JsonObject, page: number, limits: Limits): ReadAnswer {
  const text = resultText(result);
  const pages = pageCount(text.length, limits.resultPageChars);
  if (Number.isInteger(page) && page >= 1 && page <= pages) {
    return { kind: 'page', pages, text: cutPage(text, page, limits.resultPageChars) };
  }
  throw new PlugError('usage', `There is no page ${page}: this result has pages 1 to ${pages}.`, {
    owner: 'you',
    details: { pages },
  });
}

function resultText(result: JsonObject): string {
  return [...renderParts(result)].join('');
}

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
    remedy: kind === 'page' ? 'Look for a part of it with --grep.' : 'Ask for something simpler.',
  });
}

function unread(error: unknown): PlugError {
  return new PlugError('internal', `The result could not be read: ${messageOf(error)}`, {
    owner: 'plugboard',
    cause: error,
  });
}
