import { FrameScanner, type Frame } from './frame-scanner.ts';
import type { BridgeLimits } from './limits.ts';

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

export interface LineRelayOptions {
  readonly limits: BridgeLimits;
  /**
   * Told of every line before its last bytes go on; the line itself only when it is short enough
   * to be held. False keeps it back, if it was held. `cut` is a line that was abandoned.
   */
  readonly onLine: (frames: readonly Frame[], line: Buffer | undefined, cut: boolean) => boolean;
  readonly onBytes: (bytes: Buffer) => void;
}

/** Passes bytes on by whole lines, as few writes as there were chunks, and says what was in them. */
export class LineRelay {
  readonly #options: LineRelayOptions;
  readonly #scanner: FrameScanner;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** A long line: its beginning has gone on. */
  #passing = false;
  #cut = false;

  constructor(options: LineRelayOptions) {
    this.#options = options;
    this.#scanner = new FrameScanner({ valueBytesMax: options.limits.idCharsMax });
  }

  /** Part of a line has gone on, and its end has not. */
  get isMidLine(): boolean {
    return this.#passing && !this.#cut;
  }

  push(given: Buffer): void {
    const { onLine, onBytes } = this.#options;
    let chunk = given;
    let sent = 0; // what stands before has gone on, or is kept back
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

  /** The sender has ended; what it did not finish with a newline is a line all the same. */
  end(): void {
    if (this.#heldBytes > 0 || this.#passing) this.push(Buffer.from('\n'));
  }

  /** The reader has gone: what it has of an unfinished line is of no use, and the rest neither. */
  cutLine(): void {
    if (this.#passing) this.#cut = true;
  }

  /** The sender has gone: nothing of the line that it was writing is kept. */
  forget(): void {
    this.#scanner.finish();
    this.#held = [];
    this.#heldBytes = 0;
    this.#passing = this.#cut = false;
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
