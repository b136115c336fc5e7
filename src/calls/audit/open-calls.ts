import { Line, type Place } from '../../base/line.ts';

export interface OpenCall {
  readonly beginning: string;
  /** With a journal: its place among open calls, and the promise that its line is written. */
  readonly place?: Place<string>;
  readonly written?: Promise<void>;
}

/** The journal refused its line, so the call was not made. */
export function wasRefused({ place }: OpenCall): boolean {
  return place !== undefined && place.item === undefined;
}

/** Calls that have not ended, and which of their lines the journal does not have yet. */
export class OpenCalls {
  readonly #line = new Line<string>();
  #unwritten: Place<string>[] = [];
  #bytes: Buffer = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #end = 0;

  add(beginning: string): Place<string> {
    const place = this.#line.add(beginning);
    this.#unwritten.push(place);
    this.#write(beginning);
    return place;
  }

  end(place: Place<string>): void {
    this.#line.delete(place);
  }

  /** Valid until the next `add`. */
  newLines(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  written(): void {
    this.#reset();
  }

  /** The journal refused these lines: the calls are not made. */
  refused(): void {
    for (const place of this.#unwritten) this.#line.delete(place);
    this.#reset();
  }

  /** Of all open calls. Valid until the next `add`; no new lines may be pending. */
  lines(): Uint8Array {
    this.#end = 0;
    for (const beginning of this.#line) this.#write(beginning);
    const lines = this.#bytes.subarray(0, this.#end);
    this.#reset();
    return lines;
  }

  #write(beginning: string): void {
    const needed = this.#end + beginning.length * UTF8_BYTES_MAX + LINE_END.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    this.#end += this.#bytes.write(beginning, this.#end, 'utf8');
    this.#bytes[this.#end] = BRACE;
    this.#bytes[this.#end + 1] = LINE_BREAK;
    this.#end += LINE_END.length;
  }

  #reset(): void {
    this.#end = 0;
    this.#unwritten = [];
    // Memory needed for a burst is not kept.
    if (this.#bytes.length > BYTES_KEPT_MAX) this.#bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  }
}

const LINE_END = '}\n';
const BRACE = 125;
const LINE_BREAK = 10;
const UTF8_BYTES_MAX = 3;
const BYTES_AT_FIRST = 16 * 1024;
const BYTES_KEPT_MAX = 1024 * 1024;
