import type { Dispatcher } from 'undici';
import { PlugError } from '../../base/errors.ts';
import { type AddressGuard, checkLiteral } from './address-guard.ts';
import { ACCEPTED_ENCODINGS, inflate, isBomb, readAnswer, tooLarge } from './answer.ts';
import type { Bounds } from '../limits.ts';
import { type MarkedNumbers, WholeLines } from './marked-numbers.ts';
import { networkError, placeOf } from './network-error.ts';
import { isRedirect, refusedRedirect } from './redirects.ts';
import type { Readable } from 'node:stream';

export interface FetchHooks {
  /** An event stream broke, or the server closed it. */
  readonly onStreamEnd?: (error?: PlugError) => void;
  /** A redirect that leaves the server, or loses the message, fails here. */
  readonly redirects?: 'same-server';
  /** Messages keep the digits of their numbers. */
  readonly numbers?: MarkedNumbers;
}

/** `fetch` as the MCP SDK calls it; our own transports may pass hooks beside it. */
export type Fetch = (input: string | URL, init?: RequestInit, hooks?: FetchHooks) => Promise<Response>;

export interface FetchOptions extends Bounds {
  readonly dispatcher: Dispatcher;
  readonly guard?: AddressGuard | undefined;
}

/** On undici's request, several times cheaper than the global fetch. It never follows a redirect. */
export function createFetch(options: FetchOptions): Fetch {
  return async (input, init = {}, hooks = {}) => {
    const url = input instanceof URL ? input : new URL(input);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    try {
      checkLiteral(options.guard, url);
      const answer = await options.dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: (init.method ?? 'GET').toUpperCase(),
        ...(await outgoing(url, init)),
        signal: signal ?? null,
      });
      return await toResponse(answer, { ...options, url, init, signal, hooks });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw networkError(error, url);
    }
  };
}

async function outgoing(
  url: URL,
  init: RequestInit,
): Promise<{ headers: Record<string, string>; body: string | Uint8Array | null }> {
  const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
  const headers = Object.fromEntries(given.entries());
  // On this machine compression costs more than it saves.
  if (!isLoopback(url)) headers['accept-encoding'] ??= ACCEPTED_ENCODINGS;
  const { body } = init;
  if (body === undefined || body === null) return { headers, body: null };
  if (typeof body === 'string' || body instanceof Uint8Array) return { headers, body };
  const packed = new Response(body);
  headers['content-type'] ??= packed.headers.get('content-type') ?? 'application/octet-stream';
  return { headers, body: await packed.bytes() };
}

interface ToResponseOptions extends FetchOptions {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  readonly hooks: FetchHooks;
  readonly init: RequestInit;
}

async function toResponse(answer: Dispatcher.ResponseData, options: ToResponseOptions): Promise<Response> {
  const { url, limits, clock } = options;
  const { statusCode: status, body } = answer;
  const place = placeOf(url);
  // A body that is no longer read still reports errors, which are fatal without a listener.
  body.on('error', () => undefined);
  const encoding = one(answer.headers['content-encoding']);
  const headers = readHeaders(answer.headers, place);
  const refusal = refusalOf(answer, options, place);
  if (refusal !== undefined) {
    body.destroy();
    throw refusal;
  }
  if (EMPTY.has(status)) {
    await body.dump();
    return new Response(null, { status, headers });
  }
  if (isEventStream(headers)) {
    return new Response(eventStreamBody(body, encoding, options), { status, headers });
  }
  const contentLength = one(answer.headers['content-length']);
  const read = await readAnswer(body, { encoding, contentLength, place, clock, limits });
  const { numbers } = options.hooks;
  // An answer without success may be shown as a text.
  const whole = numbers && status < 300 ? numbers.mark(read) : read;
  return new Response(new Uint8Array(whole.buffer as ArrayBuffer, whole.byteOffset, whole.length), {
    status,
    headers,
  });
}

/** Statuses whose answer has no body, RFC 9110 §15. */
const EMPTY = new Set([204, 205, 304]);

function refusalOf(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  { url, init, hooks }: ToResponseOptions,
  place: string,
): PlugError | undefined {
  const refuse = (why: string): PlugError =>
    new PlugError('protocol_error', `${place} ${why}.`, { owner: 'server' });
  if (status < 200 || status > 599) return refuse(`answered with the unknown HTTP status ${status}`);
  if (init.redirect === 'error' && isRedirect(status)) return refuse('redirects, which is not allowed here');
  if (hooks.redirects === undefined) return undefined;
  return refusedRedirect({ url, method: init.method ?? 'GET', status, location: one(headers['location']) });
}

function readHeaders(given: Dispatcher.ResponseData['headers'], place: string): Headers {
  const headers = new Headers();
  try {
    for (const [name, value] of Object.entries(given)) {
      // The body is unpacked, so these two would lie about it.
      if (value === undefined || name === 'content-encoding' || name === 'content-length') continue;
      for (const single of typeof value === 'string' ? [value] : value) headers.append(name, single);
    }
  } catch (cause) {
    const message = `${place} answered with unreadable headers.`;
    throw new PlugError('protocol_error', message, { owner: 'server', cause });
  }
  return headers;
}

function isEventStream(headers: Headers): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  return type.trim().toLowerCase() === 'text/event-stream';
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.');
}

/** An event stream may last for hours; only a single event is bounded, as every parser keeps it in memory. */
function eventStreamBody(
  source: Readable,
  encoding: string | undefined,
  { url, limits, signal, hooks }: ToResponseOptions,
): ReadableStream<Uint8Array> {
  const place = placeOf(url);
  const unpacked = inflate(source, encoding, place);
  const iterator = unpacked.stream.iterator() as AsyncIterableIterator<Buffer>; // byte streams yield buffers
  const meter = new EventMeter();
  const lines = hooks.numbers && new WholeLines();
  let total = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let whole: Buffer | undefined; whole === undefined;) {
            const { value, done } = await iterator.next();
            if (done) {
              const rest = lines?.end();
              if (rest) controller.enqueue(rest);
              hooks.onStreamEnd?.();
              return controller.close();
            }
            total += value.length;
            if (meter.add(value) > limits.sseEventBytesMax || isBomb(total, unpacked, limits)) {
              throw tooLarge(place, limits.sseEventBytesMax);
            }
            whole = lines ? lines.push(value) : value;
            if (whole) controller.enqueue(hooks.numbers ? hooks.numbers.markLines(whole) : whole);
          }
        } catch (error) {
          unpacked.stream.destroy();
          if (signal?.aborted) return controller.error(signal.reason);
          const failure = networkError(error, url);
          hooks.onStreamEnd?.(failure);
          controller.error(failure);
        }
        return undefined;
      },
      cancel() {
        unpacked.stream.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Counts the bytes since the last blank line. Lines end in LF, CR or CRLF. */
class EventMeter {
  #bytes = 0;
  #last = 0;

  add(chunk: Buffer): number {
    const blank = Math.max(...BLANK_LINES.map((pattern) => chunk.lastIndexOf(pattern)));
    const first = chunk[0];
    // The blank line may straddle two chunks.
    const straddles = BLANK_LINES.some((pattern) => pattern[0] === this.#last && pattern[1] === first);
    if (blank >= 0) this.#bytes = chunk.length - blank - 2;
    else if (straddles) this.#bytes = chunk.length - 1;
    else this.#bytes += chunk.length;
    this.#last = chunk.at(-1) ?? this.#last;
    return this.#bytes;
  }
}

const BLANK_LINES = ['\n\n', '\r\r', '\n\r'].map((text) => Buffer.from(text));
