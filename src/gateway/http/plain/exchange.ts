import { limits } from '../../../base/limits.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { assert } from '../../../base/errors.ts';
import { httpLimits } from '../limits.ts';

/** Hosts repeat it verbatim from call to call. */
export interface PlainHead {
  readonly text: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly bodyBytes: number;
  readonly stays: boolean;
}

export class PlainRequest implements Incoming {
  readonly method = 'POST';
  readonly head: PlainHead;
  readonly connection: object;
  readonly #body: Buffer;

  constructor(head: PlainHead, body: Buffer, connection: object) {
    this.head = head;
    this.connection = connection;
    this.#body = body;
  }

  get url(): string {
    return this.head.url;
  }

  readonly header = (name: string): string | undefined => this.head.headers.get(name);

  body(bytesMax: number, done: (body: Buffer) => void, tooLarge: () => void): void {
    if (this.#body.length > bytesMax) tooLarge();
    else done(this.#body);
  }

  skip(): void {
    // Already read.
  }
}

/** A POST to the gateway with each header once and a body length; anything else is left to Node. */
export function readHead(bytes: Buffer, end: number, before: PlainHead | undefined): PlainHead | undefined {
  const text = bytes.toString('latin1', 0, end);
  if (before?.text === text) return before;
  if (end > limits.apiHeaderBytesMax || !PLAIN.test(text)) return undefined;
  const headers = new Map<string, string>();
  const [request = '', ...lines] = text.split('\r\n');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // Repeated headers, or ones that change framing, are not plain.
    if (headers.has(name) || NOT_PLAIN.has(name)) return undefined;
    headers.set(name, line.slice(colon + 1).trim());
  }
  const length = headers.get('content-length');
  const connection = headers.get('connection')?.toLowerCase() ?? 'keep-alive';
  if (length === undefined || !LENGTH.test(length) || !headers.has('host')) return undefined;
  if (connection !== 'keep-alive' && connection !== 'close') return undefined;
  return {
    text,
    url: request.slice(VERB.length, -VERSION.length),
    headers,
    bodyBytes: Number(length),
    stays: connection === 'keep-alive',
  };
}

const VERB = 'POST ';
const VERSION = ' HTTP/1.1';
/** Visible ASCII, no continuation lines. */
const PLAIN = /^POST \/mcp[!-~]* HTTP\/1\.1(?:\r\n[\w!#$%&'*+\-.^`|~]+:[\t -~]*)+$/;
const LENGTH = /^\d{1,9}$/;
const NOT_PLAIN: ReadonlySet<string> = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer']);

export interface PlainResponseOptions {
  readonly socket: Socket;
  readonly stays: boolean;
  readonly date: () => string;
  /** The answer has left or isn't wanted; `stays`: another request may follow. */
  readonly onOver: (stays: boolean) => void;
}

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
    // Latin-1 is copied without transcoding.
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

/** Most answers start like the one before. */
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
