import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { assert } from '../../../base/errors.ts';
import { httpLimits } from '../limits.ts';
import type { Outgoing } from '../exchange.ts';

export interface PlainResponseOptions {
  readonly socket: Socket;
  /** Whether the connection stays open after it. */
  readonly stays: boolean;
  /** The time as HTTP writes it. */
  readonly date: () => string;
  /** The answer has left, or nobody waits for it: the next request may come if the connection stays. */
  readonly onOver: (stays: boolean) => void;
}

/** The answer to a plain request: written by hand, in one piece where it is known at once. */
export class PlainResponse implements Outgoing {
  readonly #options: PlainResponseOptions;
  #listener: (() => void) | undefined;
  #others: (() => void)[] | undefined;
  #stays: boolean;
  #isOver = false;
  isBegun = false;

  constructor(options: PlainResponseOptions) {
    this.#options = options;
    this.#stays = options.stays;
  }

  get unread(): number {
    return this.#options.socket.writableLength;
  }

  whole(status: number, headers: readonly string[], text: string): void {
    if (this.isBegun) return;
    const length = Buffer.byteLength(text);
    const head = this.#head(status, headers, status === 204 ? '' : `content-length: ${length}\r\n`);
    // One byte a character: the engine copies such a text as it is.
    this.#options.socket.write(head + text, length === text.length ? 'latin1' : 'utf8');
    this.#over();
  }

  begin(status: number, headers: readonly string[]): void {
    if (this.isBegun) return;
    this.#options.socket.write(this.#head(status, headers, 'transfer-encoding: chunked\r\n'), 'latin1');
  }

  write(text: string): void {
    if (this.#isOver || text === '') return;
    const length = Buffer.byteLength(text).toString(16);
    this.#options.socket.write(`${length}\r\n${text}\r\n`);
  }

  end(): void {
    if (this.#isOver) return;
    this.#options.socket.write('0\r\n\r\n', 'latin1');
    this.#over();
  }

  destroy(): void {
    this.#options.socket.destroy();
  }

  onClose(listener: () => void): void {
    if (!this.#listener) this.#listener = listener;
    else (this.#others ??= []).push(listener);
  }

  /** The host has gone: nothing of it will be sent. */
  drop(): void {
    if (this.#isOver) return;
    this.isBegun = true;
    this.#stays = false;
    this.#over();
  }

  #head(status: number, headers: readonly string[], framing: string): string {
    this.isBegun = true;
    if (headers.includes('connection')) this.#stays = false; // nothing else is ever said of it
    const end = this.#stays ? STAYS : CLOSES;
    return `${linesOf(status, headers)}${framing}date: ${this.#options.date()}\r\n${end}\r\n`;
  }

  #over(): void {
    this.#isOver = true;
    this.#options.onOver(this.#stays);
    this.#listener?.();
    for (const listener of this.#others ?? []) listener();
  }
}

/** Nearly every answer begins like the one before. */
let last = { status: 0, headers: [] as readonly string[], lines: '' };

function linesOf(status: number, headers: readonly string[]): string {
  if (last.status === status && last.headers === headers) return last.lines;
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] ?? '', headers[index + 1] ?? ''];
    assert(VALUE.test(value), 'a header has one line');
    if (name !== 'connection') lines += `${name}: ${value}\r\n`;
  }
  last = { status, headers, lines };
  return lines;
}

const VALUE = /^[\t -~]*$/;
const STAYS = `connection: keep-alive\r\nkeep-alive: timeout=${httpLimits.plainIdleMs / 1_000}\r\n`;
const CLOSES = 'connection: close\r\n';
