import { printable } from './printable.ts';

const FIRST_BYTES = 4 * 1024;
const NEWLINE = 10;

/** The last bytes of a server's stderr. It grows by doubling up to its limit, so a quiet server costs 4 KB. */
export class Ring {
  readonly #bytesMax: number;
  readonly #lineCharsMax: number;
  #buffer: Buffer;
  #end = 0;
  #onPush: (() => void) | undefined;
  bytesTotal = 0;

  constructor(options: { readonly bytesMax: number; readonly lineCharsMax: number }) {
    this.#bytesMax = options.bytesMax;
    this.#lineCharsMax = options.lineCharsMax;
    this.#buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, options.bytesMax));
  }

  get bytesKept(): number {
    return Math.min(this.bytesTotal, this.#buffer.length);
  }

  push(chunk: Buffer): void {
    this.#grow(chunk.length);
    const room = this.#buffer.length;
    const kept = chunk.length > room ? chunk.subarray(chunk.length - room) : chunk;
    const first = Math.min(kept.length, room - this.#end);
    kept.copy(this.#buffer, this.#end, 0, first);
    kept.copy(this.#buffer, 0, first);
    this.#end = (this.#end + kept.length) % room;
    this.bytesTotal += chunk.length;
    this.#onPush?.();
  }

  /** Told each time that something was added. */
  listen(onPush: () => void): void {
    this.#onPush = onPush;
  }

  /** Oldest first, safe to show. A line whose beginning was lost starts with “…”. */
  lines(count: number): readonly string[] {
    const bytes = this.#bytes();
    if (bytes.length === 0 || count <= 0) return [];
    let start = bytes.length;
    let end = bytes.length;
    if (bytes[end - 1] === NEWLINE) end -= 1;
    for (let left = count, from = end; left > 0; left -= 1) {
      const newline = from > 0 ? bytes.lastIndexOf(NEWLINE, from - 1) : -1;
      start = newline + 1;
      if (newline < 0) break;
      from = newline;
    }
    const lost = start === 0 && this.bytesTotal > bytes.length;
    const text = bytes.toString('utf8', start, end);
    return text.split('\n').map((line, index) => {
      const shown = printable(line.endsWith('\r') ? line.slice(0, -1) : line, this.#lineCharsMax);
      return lost && index === 0 ? `…${shown}` : shown;
    });
  }

  #bytes(): Buffer {
    if (this.bytesTotal <= this.#buffer.length) return this.#buffer.subarray(0, this.bytesTotal);
    return Buffer.concat([this.#buffer.subarray(this.#end), this.#buffer.subarray(0, this.#end)]);
  }

  #grow(bytes: number): void {
    const wanted = Math.min(this.bytesTotal + bytes, this.#bytesMax);
    if (wanted <= this.#buffer.length) return;
    let size = this.#buffer.length;
    while (size < wanted) size = Math.min(size * 2, this.#bytesMax);
    // The ring has not wrapped yet: it wraps only at its full size.
    const grown = Buffer.allocUnsafe(size);
    this.#buffer.copy(grown, 0, 0, this.bytesTotal);
    this.#buffer = grown;
    this.#end = this.bytesTotal;
  }
}
