import { limits } from '../../../base/limits.ts';
import type { Incoming } from '../exchange.ts';

/** The head of a request, which hosts repeat to the letter from one call to the next. */
export interface PlainHead {
  readonly text: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly bodyBytes: number;
  /** Whether the connection stays open after the answer. */
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
    // It is here already.
  }
}

/**
 * Reads the head that bytes begin with, or answers undefined: then it is not plain. Plain is a POST to
 * the gateway as the clients of our time write it, every header once, a body with a length. Whatever
 * else HTTP allows, or does not allow, is left to Node, which decides what it means.
 */
export function readHead(bytes: Buffer, end: number, before: PlainHead | undefined): PlainHead | undefined {
  const text = bytes.toString('latin1', 0, end);
  if (before?.text === text) return before;
  if (end > limits.apiHeaderBytesMax || !PLAIN.test(text)) return undefined;
  const headers = new Map<string, string>();
  const [request = '', ...lines] = text.split('\r\n');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // What was said twice, or changes how the rest is read, is not plain.
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
/** Visible ASCII alone, no line that goes on in the next one. */
const PLAIN = /^POST \/mcp[!-~]* HTTP\/1\.1(?:\r\n[\w!#$%&'*+\-.^`|~]+:[\t -~]*)+$/;
const LENGTH = /^\d{1,9}$/;
const NOT_PLAIN: ReadonlySet<string> = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer']);
