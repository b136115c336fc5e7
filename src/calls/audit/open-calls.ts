import { Line, type Place } from '../../base/line.ts';

/** A call that began. */
export interface OpenCall {
  /** Its record so far, as `textOfBeginning` writes it. */
  readonly beginning: string;
  /** Where there is a journal: where it stands among those that have not ended, … */
  readonly place?: Place<string>;
  /** … and the promise that its line is in the journal. Before that, no server may hear of it. */
  readonly written?: Promise<void>;
}

/** The journal did not take its line, so that it was not made. */
export function wasRefused({ place }: OpenCall): boolean {
  return place !== undefined && place.item === undefined;
}

/** The beginnings of calls that have not ended, and those of them that the journal does not have yet. */
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

  /** The lines that the journal does not have yet. Valid until the next `add`. */
  newLines(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** The journal has all of them now. */
  written(): void {
    this.#reset();
  }

  /** The journal did not take them: these calls are not made. */
  refused(): void {
    for (const place of this.#unwritten) this.#line.delete(place);
    this.#reset();
  }

  /** The lines of all that are open. Valid until the next `add`; there are no new lines when it is asked. */
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
    // What a flood has needed is not kept; whoever holds the lines keeps them by that.
    if (this.#bytes.length > BYTES_KEPT_MAX) this.#bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  }
}

const LINE_END = '}\n';
const BRACE = 125;
const LINE_BREAK = 10;
const UTF8_BYTES_MAX = 3;
const BYTES_AT_FIRST = 16 * 1024;
const BYTES_KEPT_MAX = 1024 * 1024;
