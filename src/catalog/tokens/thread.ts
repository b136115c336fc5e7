import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { assert } from '../../base/errors.ts';

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

/**
 * Byte pair encoding is quadratic in one run, which a hostile description may use: long runs are cut (at
 * most one token more per cut). Beyond the longest text the count is estimated.
 */
function countIn(text: string, limits: ThreadStart, count: (piece: string) => number): number {
  const read = text.slice(0, limits.textCharsMax);
  const tokens = cutRuns(read, limits.runCharsMax).reduce((sum, piece) => sum + count(piece), 0);
  return read.length === text.length ? tokens : Math.ceil((tokens * text.length) / read.length);
}

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
    // Never inside a surrogate pair.
    if (run <= most || (text.charCodeAt(at) & 0xfc00) === 0xdc00) continue;
    pieces.push(text.slice(from, at));
    from = at;
    run = 1;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** The tokenizer splits where the kind changes. */
function kindOf(code: number): number {
  if (code === 32 || (code >= 9 && code <= 13)) return 0;
  if (code >= 48 && code <= 57) return 1;
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 128) return 2;
  return 3;
}

/** Flat arrays take 10 MB; maps of strings take 75 MB that the process never gives back. */
class Vocabulary {
  #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** Open addressing: rank + 1, 0 for free. */
  readonly #table: Uint32Array;

  /** Reads `.tiktoken`: base64 and rank per line, by rank. Decoded tokens overwrite what was read. */
  constructor(file: Uint8Array) {
    const count = file.reduce((sum, byte) => (byte === NEWLINE ? sum + 1 : sum), 0);
    this.#bytes = file;
    this.#starts = new Uint32Array(count + 2);
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(count * 2 + 2)));
    let rank = 0;
    let end = 0;
    for (let at = 0, next = 0; at < file.length; at = next) {
      next = file.indexOf(NEWLINE, at) + 1 || file.length;
      end = decodeBase64(file, at, end);
      rank += 1;
      this.#starts[rank] = end;
      this.#insert(rank - 1);
    }
    this.#bytes = file.slice(0, end);
  }

  /** Joins the pair of lowest rank again and again. */
  count(piece: Uint8Array): number {
    if (piece.length < 2 || this.#rankOf(piece, 0, piece.length) >= 0) return Math.min(piece.length, 1);
    // Starts of the parts, and the rank of each joined with the next.
    const starts = Array.from({ length: piece.length + 1 }, (_, index) => index);
    const ranks = Array.from({ length: piece.length - 1 }, (_, index) =>
      this.#joined(piece, index, index + 2),
    );
    for (;;) {
      let lowest = Infinity;
      let at = -1;
      for (let index = 0; index < ranks.length; index += 1) {
        const rank = ranks[index] ?? Infinity;
        if (rank < lowest) {
          lowest = rank;
          at = index;
        }
      }
      if (at < 0) return starts.length - 1;
      starts.splice(at + 1, 1);
      ranks.splice(at, 1);
      const pair = (index: number): number => this.#joined(piece, starts[index] ?? 0, starts[index + 2] ?? 0);
      if (at < ranks.length) ranks[at] = pair(at);
      if (at > 0) ranks[at - 1] = pair(at - 1);
    }
  }

  #joined(piece: Uint8Array, from: number, to: number): number {
    const rank = this.#rankOf(piece, from, to);
    return rank < 0 ? Infinity : rank;
  }

  #insert(rank: number): void {
    const mask = this.#table.length - 1;
    let place = hash(this.#bytes, this.#starts[rank] ?? 0, this.#starts[rank + 1] ?? 0) & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = rank + 1;
  }

  #rankOf(piece: Uint8Array, from: number, to: number): number {
    const mask = this.#table.length - 1;
    let place = hash(piece, from, to) & mask;
    for (let entry = this.#table[place] ?? 0; entry !== 0; entry = this.#table[place] ?? 0) {
      if (this.#equals(entry - 1, piece, from, to)) return entry - 1;
      place = (place + 1) & mask;
    }
    return -1;
  }

  #equals(rank: number, piece: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[rank] ?? 0;
    if ((this.#starts[rank + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at += 1) if (this.#bytes[start + at - from] !== piece[at]) return false;
    return true;
  }
}

const NEWLINE = 10;

/** FNV-1a. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0x811c9dc5;
  for (let at = from; at < to; at += 1) sum = Math.imul(sum ^ (bytes[at] ?? 0), 0x01000193);
  return sum >>> 0;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIX_BITS = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value += 1) SIX_BITS[ALPHABET.charCodeAt(value)] = value;

function decodeBase64(bytes: Uint8Array, at: number, end: number): number {
  let bits = 0;
  let held = 0;
  let next = end;
  for (let index = at; ; index += 1) {
    const value = SIX_BITS[bytes[index] ?? 0] ?? -1;
    if (value < 0) return next;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[next] = (bits >> held) & 0xff;
    next += 1;
  }
}

const port = parentPort;
assert(port, 'this file runs only as a thread of token-counter');
// token-counter starts this thread with exactly this.
const start = workerData as ThreadStart;
const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken');
const vocabulary = new Vocabulary(readFileSync(file));
const encoder = new TextEncoder();

/** Control tokens in a server's text are plain text. */
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
