import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { assert } from '../../base/errors.ts';
import { Vocabulary } from './vocabulary.ts';

/** What the thread is given when it starts. */
export interface ThreadStart {
  readonly runCharsMax: number;
  readonly textCharsMax: number;
}

export interface ThreadQuestion {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface ThreadAnswer {
  readonly id: number;
  readonly counts: readonly number[];
}

/** The thread that holds the vocabulary; token-counter starts and ends it. */
const port = parentPort;
assert(port, 'this file runs only as a thread of token-counter');
// The one who starts this thread is token-counter, which gives exactly this.
const start = workerData as ThreadStart;
const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken');
const vocabulary = new Vocabulary(readFileSync(file));
const encoder = new TextEncoder();

/** Texts of a server that look like control tokens are plain text to us. */
function countPiece(text: string): number {
  let tokens = 0;
  for (const [word] of text.matchAll(O200K_TOKEN_SPLIT_REGEX))
    tokens += vocabulary.count(encoder.encode(word));
  return tokens;
}

port.on('message', ({ id, texts }: ThreadQuestion) => {
  const answer: ThreadAnswer = { id, counts: texts.map((text) => countIn(text, start, countPiece)) };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(answer);
});

/**
 * Counts a text piece by piece. Byte pair encoding takes quadratic time for one run of letters or of
 * spaces, which a hostile description may use: runs that no language writes are cut, which changes
 * the count by at most one token a cut. What lies beyond the longest text is estimated.
 */
function countIn(text: string, limits: ThreadStart, count: (piece: string) => number): number {
  const read = text.slice(0, limits.textCharsMax);
  const tokens = cutRuns(read, limits.runCharsMax).reduce((sum, piece) => sum + count(piece), 0);
  return read.length === text.length ? tokens : Math.ceil((tokens * text.length) / read.length);
}

/** Cuts a text inside of runs longer than `most`, and nowhere else. */
function cutRuns(text: string, most: number): readonly string[] {
  if (text.length <= most) return [text];
  const pieces: string[] = [];
  let from = 0;
  let run = 0;
  let kind = -1;
  for (let at = 0; at < text.length; at += 1) {
    const now = kindOf(text.charCodeAt(at));
    run = now === kind ? run + 1 : 1;
    kind = now;
    // Between the halves of a surrogate pair there is no cut.
    if (run <= most || (text.charCodeAt(at) & 0xfc00) === 0xdc00) continue;
    pieces.push(text.slice(from, at));
    from = at;
    run = 1;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** Letters, spaces, digits and the rest: the tokenizer parts a text where the kind changes. */
function kindOf(code: number): number {
  if (code === 32 || (code >= 9 && code <= 13)) return 0;
  if (code >= 48 && code <= 57) return 1;
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 128) return 2;
  return 3;
}
