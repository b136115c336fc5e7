import { FrameScanner, type Frame } from './frame-scanner.ts';
import type { BridgeLimits } from './limits.ts';

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

export interface LineRelayOptions {
  readonly limits: BridgeLimits;
  /** Called before a line ends, with the line if it was held; false keeps it back. `cut`: abandoned. */
  readonly onLine: (frames: readonly Frame[], line: Buffer | undefined, cut: boolean) => boolean;
  readonly onBytes: (bytes: Buffer) => void;
}

/** Passes bytes on by whole lines, in as few writes as there were chunks, and reports their frames. */
export class LineRelay {
  readonly #options: LineRelayOptions;
  readonly #scanner: FrameScanner;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The start of a long line has gone on. */
  #passing = false;
  #cut = false;

  constructor(options: LineRelayOptions) {
    this.#options = options;
    this.#scanner = new FrameScanner({ valueBytesMax: options.limits.idCharsMax });
  }

  /** The start of a line has gone on, but not its end. */
  get isMidLine(): boolean {
    return this.#passing && !this.#cut;
  }

  push(given: Buffer): void {
    const { onLine, onBytes } = this.#options;
    let chunk = given;
    let sent = 0; // all before it has gone on or was kept back
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      this.#scanner.feed(chunk, at, end);
      const frames = this.#scanner.finish();
      if (this.#passing) {
        onLine(frames, undefined, this.#cut);
        if (this.#cut) sent = end + 1;
        this.#passing = this.#cut = false;
      } else {
        if (this.#heldBytes > 0) {
          chunk = this.#join(chunk);
          end += chunk.length - given.length;
        }
        if (!onLine(frames, chunk.subarray(at, end), false)) {
          if (at > sent) onBytes(chunk.subarray(sent, at));
          sent = end + 1;
        }
      }
      at = end + 1;
    }
    if (at > sent) onBytes(chunk.subarray(sent, at));
    if (at < chunk.length) this.#keep(at === 0 ? chunk : chunk.subarray(at));
  }

  /** The sender has ended; its last line may lack a newline. */
  end(): void {
    if (this.#heldBytes > 0 || this.#passing) this.push(Buffer.from('\n'));
  }

  /** The reader is gone: the rest of an unfinished line is dropped. */
  cutLine(): void {
    if (this.#passing) this.#cut = true;
  }

  #join(chunk: Buffer): Buffer {
    const whole = Buffer.concat([...this.#held, chunk], this.#heldBytes + chunk.length);
    this.#held = [];
    this.#heldBytes = 0;
    return whole;
  }

  #keep(rest: Buffer): void {
    this.#scanner.feed(rest, 0, rest.length);
    if (this.#passing) {
      if (!this.#cut) this.#options.onBytes(rest);
      return;
    }
    this.#held.push(rest);
    this.#heldBytes += rest.length;
    if (this.#heldBytes <= this.#options.limits.heldLineBytesMax) return;
    this.#passing = true;
    this.#options.onBytes(this.#join(NOTHING));
  }
}
