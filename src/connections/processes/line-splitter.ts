const NEWLINE = 10;
const RETURN = 13;
const NOTHING = Buffer.alloc(0);

/** The two ends of a discarded line: enough to see which call it answered. */
export interface LongLine {
  readonly bytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface LineSplitterOptions {
  /** A longer line is discarded up to its newline. */
  readonly bytesMax: number;
  readonly edgeBytes: number;
  readonly onLine: (line: string) => void;
  readonly onTooLong: (line: LongLine) => void;
}

/** Joins pieces of a line once, for linear time, and decodes last: a character split between chunks stays whole. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #long: { bytes: number; head: Buffer; tail: Buffer } | undefined;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Bytes of the line that has no newline yet, discarded or not. */
  get pendingBytes(): number {
    return this.#long?.bytes ?? this.#pieceBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (this.#pieceBytes === 0 && this.#long === undefined) this.#emit(chunk, start, end);
      else this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** A server may exit without writing the last newline. */
  end(): void {
    if (this.pendingBytes > 0) this.#finish(NOTHING);
  }

  #emit(bytes: Buffer, start: number, end: number): void {
    if (end - start > this.#options.bytesMax) {
      this.#startLong(bytes.subarray(start, end));
      this.#endLong();
      return;
    }
    const last = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
    if (last > start) this.#options.onLine(bytes.toString('utf8', start, last));
  }

  #finish(rest: Buffer): void {
    this.#keep(rest);
    if (this.#long) return this.#endLong();
    const [only] = this.#pieces;
    const line = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces, this.#pieceBytes);
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#emit(line, 0, line.length);
  }

  #keep(piece: Buffer): void {
    if (this.#long) {
      this.#long.bytes += piece.length;
      const missing = this.#options.edgeBytes - this.#long.head.length;
      if (missing > 0) this.#long.head = Buffer.concat([this.#long.head, piece.subarray(0, missing)]);
      this.#long.tail = this.#tailOf(this.#long.tail, piece);
      return;
    }
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    // One byte of slack for the carriage return before the newline.
    if (this.#pieceBytes <= this.#options.bytesMax + 1) return;
    const [first, ...others] = this.#pieces;
    this.#pieces = [];
    this.#pieceBytes = 0;
    if (first) this.#startLong(first);
    for (const other of others) this.#keep(other);
  }

  #startLong(piece: Buffer): void {
    const head = Buffer.from(piece.subarray(0, this.#options.edgeBytes));
    this.#long = { bytes: piece.length, head, tail: this.#tailOf(NOTHING, piece) };
  }

  #endLong(): void {
    const long = this.#long;
    this.#long = undefined;
    if (long) this.#options.onTooLong(long);
  }

  /** A copy, so that the chunk can be freed. */
  #tailOf(tail: Buffer, piece: Buffer): Buffer {
    const { edgeBytes } = this.#options;
    if (piece.length >= edgeBytes) return Buffer.from(piece.subarray(piece.length - edgeBytes));
    const joined = Buffer.concat([tail, piece]);
    return joined.subarray(Math.max(0, joined.length - edgeBytes));
  }
}

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.){0,256}"|-?\\d{1,16})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';

/** Python servers write the id first; the TypeScript SDK writes it last. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*,`);
const LAST = new RegExp(`,\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`);

/** Takes the outermost id, next to the first or last brace. A head that names a method is no answer. */
export function idOfLongLine(line: LongLine): string | number | undefined {
  const head = line.head.toString('utf8');
  if (/^\s*\{[^{[]*"method"\s*:/.test(head)) return undefined;
  const found = FIRST.exec(head)?.[1] ?? LAST.exec(line.tail.toString('utf8'))?.[1];
  if (found === undefined) return undefined;
  // The pattern admits only a JSON string or an integer.
  return JSON.parse(found) as string | number;
}
