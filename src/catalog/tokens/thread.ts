import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { assert } from '../../base/errors.ts';
import { countIn } from './count-text.ts';
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
