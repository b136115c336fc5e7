import type { Writable } from 'node:stream';
import { PlugError } from '../../base/errors.ts';
import { atEndOfTurn } from '../../base/turn.ts';

interface Item {
  readonly line: string;
  readonly bytes: number;
  /** Absent when the line was accepted at once. */
  readonly sender?: Sender;
}

interface Sender {
  readonly resolve: () => void;
  readonly reject: (error: PlugError) => void;
}

const ACCEPTED: Promise<void> = Promise.resolve();

/** Small lines are joined up to about this size: one system call for many. */
const BATCH_CHARS = 64 * 1024;

/**
 * Lines of one turn of the event loop go out in one write, the most expensive part of a call. While the
 * server does not read, lines and their senders wait, up to a limit.
 */
export class WriteQueue {
  readonly #stream: Writable;
  readonly #bytesMax: number;
  #items: Item[] = [];
  #itemBytes = 0;
  /** Senders of lines that the stream holds but has not drained. */
  #undrained: Sender[] = [];
  #blocked = false;
  #scheduled = false;
  #failure: PlugError | undefined;

  constructor(options: { readonly stream: Writable; readonly bytesMax: number }) {
    this.#stream = options.stream;
    this.#bytesMax = options.bytesMax;
    this.#stream.on('drain', () => this.#drained());
    this.#stream.on('error', (error: Error) => this.close('The server no longer reads its input.', error));
    this.#stream.on('close', () => this.close('The server’s input is closed.'));
  }

  get pendingBytes(): number {
    return this.#itemBytes + this.#stream.writableLength;
  }

  /** Takes one line without its newline. Resolves when there is room for more. */
  write(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    // Counting characters is enough while nothing waits, and cheaper.
    const bytes = (this.#blocked ? Buffer.byteLength(line) : line.length) + 1;
    if (this.pendingBytes + bytes > this.#bytesMax) return Promise.reject(this.#full());
    this.#itemBytes += bytes;
    if (this.#blocked) {
      return new Promise((resolve, reject) => {
        this.#items.push({ line, bytes, sender: { resolve, reject } });
      });
    }
    this.#items.push({ line, bytes });
    this.#schedule();
    return ACCEPTED;
  }

  end(): void {
    if (this.#failure) return;
    this.#flush();
    this.#stream.end();
    this.close('The server is being stopped.');
  }

  /** Rejects every waiting and every later line. */
  close(message: string, cause?: unknown): void {
    if (this.#failure) return;
    this.#failure = new PlugError('crashed', message, { owner: 'server', cause });
    const senders = [...this.#undrained, ...this.#items.flatMap((item) => item.sender ?? [])];
    this.#undrained = [];
    this.#items = [];
    this.#itemBytes = 0;
    for (const sender of senders) sender.reject(this.#failure);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    atEndOfTurn(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    let next = 0;
    while (!this.#blocked && next < this.#items.length) {
      let text = '';
      const senders: Sender[] = [];
      while (next < this.#items.length && text.length < BATCH_CHARS) {
        const item = this.#items[next++] as Item; // the index was checked
        text += `${item.line}\n`;
        this.#itemBytes -= item.bytes;
        if (item.sender) senders.push(item.sender);
      }
      this.#blocked = !this.#stream.write(text);
      if (this.#blocked) this.#undrained = senders;
      else for (const sender of senders) sender.resolve();
    }
    this.#items = next < this.#items.length ? this.#items.slice(next) : [];
  }

  #drained(): void {
    this.#blocked = false;
    const senders = this.#undrained;
    this.#undrained = [];
    for (const sender of senders) sender.resolve();
    this.#flush();
  }

  #full(): PlugError {
    const message = 'The server does not read what is sent to it; too much already waits.';
    return new PlugError('unavailable', message, {
      owner: 'server',
      remedy: 'Restart the server, or send less at once.',
      details: { pendingBytes: this.pendingBytes, bytesMax: this.#bytesMax },
    });
  }
}
