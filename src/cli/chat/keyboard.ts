import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { InputStream } from '../terminal.ts';
import { chatLimits } from './limits.ts';

/** What happens while nobody has borrowed the keys. */
export interface IdleKeys {
  readonly interrupt: () => void;
  readonly escape: () => void;
}

/** Keys for one question or one line, until they are given back. */
export interface BorrowedKeys extends Disposable {
  readonly input: Readable;
}

/**
 * The keyboard for as long as a chat lasts. The terminal stays in raw mode all that time, so that
 * Ctrl-C is always a key, and never ends the program between two questions.
 */
export class Keyboard implements Disposable {
  readonly #input: InputStream;
  readonly #decoder = new StringDecoder('utf8');
  readonly #borrowers: Readable[] = [];
  #idle: IdleKeys | undefined;
  /** Lines that were typed while something ran, the last perhaps without its end. */
  #typedAhead = '';
  #ended = false;

  constructor(input: InputStream) {
    this.#input = input;
    this.raw(true);
    input.ref?.();
    input.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onEnd).resume();
  }

  /** Nobody will type any more. */
  get ended(): boolean {
    return this.#ended;
  }

  raw(on: boolean): void {
    this.#input.setRawMode?.(on);
  }

  /** Whoever borrows last gets the keys first. */
  borrow(): BorrowedKeys {
    const input = new Readable({ read: () => undefined });
    this.#borrowers.push(input);
    // A line that was asked for after the end has to hear of the end too.
    if (this.#ended) queueMicrotask(() => input.emit('end'));
    const giveBack = (): void => {
      const at = this.#borrowers.indexOf(input);
      if (at >= 0) this.#borrowers.splice(at, 1);
      input.removeAllListeners();
    };
    return { input, [Symbol.dispose]: giveBack };
  }

  /** Listens to Ctrl-C and Esc while something runs. */
  watch(idle: IdleKeys): Disposable {
    const before = this.#idle;
    this.#idle = idle;
    return { [Symbol.dispose]: () => void (this.#idle = before) };
  }

  /**
   * The first line that was typed while something ran. Each line is a message of its own: the next
   * prompt begins with it, and it is never sent unseen.
   */
  takeTypedAhead(): string {
    const [line = '', ...rest] = this.#typedAhead.split('\n');
    this.#typedAhead = rest.join('\n');
    return line;
  }

  [Symbol.dispose](): void {
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    this.raw(false);
    this.#input.unref?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    if (text === '') return;
    const borrower = this.#borrowers.at(-1);
    // Handed on by hand, so that it arrives at once, in order, and in the pieces in which it was typed.
    if (borrower) borrower.emit('data', Buffer.from(text));
    else this.#hear(text);
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#idle?.interrupt();
    for (const borrower of this.#borrowers) borrower.emit('end');
  };

  #hear(text: string): void {
    if (text === '\u001b') return this.#idle?.escape();
    const stop = text.indexOf('\u0003');
    if (stop >= 0) {
      this.#hear(text.slice(0, stop));
      return this.#idle?.interrupt();
    }
    const plain = text
      .replace(SEQUENCE, '')
      .replaceAll('\r', '\n')
      .replaceAll('\t', ' ')
      .replace(/(?!\n)\p{Cc}/gu, '');
    // An Enter on an empty line says nothing.
    const typed = (this.#typedAhead + plain).replace(/^\n+/, '').replace(/\n{2,}/g, '\n');
    this.#typedAhead = typed.slice(0, chatLimits.typedAheadChars);
    return undefined;
  }
}

/** An arrow or another key that is no character. */
// oxlint-disable-next-line no-control-regex -- keys are told by their control characters.
const SEQUENCE = /\u001b(\[[0-9;?<]*[ -/]*[@-~]|O.|.)/g;
