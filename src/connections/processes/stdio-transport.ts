import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ExactNumber } from '../../base/exact-number.ts';
import { parseMessage } from '../../base/parse-json.ts';
import { ignore, messageOf, PlugError } from '../../base/errors.ts';
import { guarded } from '../../base/faults.ts';
import { isDeeper } from '../../base/json-shape.ts';
import { isObject } from '../../base/json.ts';
import { inPlaceOfDeep, TOO_LARGE_CODE } from '../frame-depth.ts';
import type { Bounds } from '../limits.ts';
import { idOfLongLine, LineSplitter, type LongLine } from './line-splitter.ts';
import { printable } from './printable.ts';
import type { Ring } from './ring.ts';
import type { ProcessExit, ServerProcess } from './server-process.ts';
import { WriteQueue } from './write-queue.ts';
import type { Readable } from 'node:stream';
import { within } from './within.ts';

export interface StdioOptions extends Bounds {
  readonly server: ServerProcess;
  readonly onNoise?: (() => void) | undefined;
}

/** Lines on stdout that are no MCP messages; the last few are kept, safe to show. */
export interface Noise {
  readonly count: number;
  readonly lines: readonly string[];
}

/** MCP over a server's stdin and stdout, one JSON message a line (specification, “Transports”). */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']> | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;

  readonly #options: StdioOptions;
  readonly #server: ServerProcess;
  readonly #lines: LineSplitter;
  readonly #queue: WriteQueue;
  readonly #noiseLines: string[] = [];
  #noiseCount = 0;
  exit: ProcessExit | undefined;
  #started = false;
  /** Nothing more is read from a server that never ends a line. */
  #cutOff = false;
  #closed = false;

  constructor(options: StdioOptions) {
    const { server, limits } = options;
    this.#options = options;
    this.#server = server;
    this.#queue = new WriteQueue({ stream: server.stdin, bytesMax: limits.writeQueueBytesMax });
    this.#lines = new LineSplitter({
      bytesMax: limits.messageBytesMax,
      edgeBytes: limits.lineEdgeBytes,
      onLine: (line) => this.#readLine(line),
      onTooLong: (line) => this.#refuse(line),
    });
  }

  get stderr(): Ring {
    return this.#server.stderr;
  }

  get noise(): Noise {
    return { count: this.#noiseCount, lines: [...this.#noiseLines] };
  }

  start(): Promise<void> {
    if (this.#started) return Promise.reject(new Error('A transport is started once.'));
    this.#started = true;
    const read = (chunk: Buffer): void => this.#read(chunk);
    // A bug of ours costs this connection, and no other.
    const end = (): void => ignore(this.close(), 'what broke it is told already');
    this.#server.stdout.on('data', guarded('a message of a server', read, end));
    ignore(this.#untilExit(), 'waiting for an exit cannot fail');
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#queue.write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#queue.end();
    await this.#server.stop();
    this.#finish();
  }

  async #untilExit(): Promise<void> {
    const exit = await this.#server.exit;
    await drained(this.#server.stdout, this.#options);
    if (!this.#cutOff) this.#lines.end();
    this.exit = exit;
    this.#queue.close('The server has ended.');
    this.#finish();
    await this.#server.stop();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    if (this.#closed || this.#cutOff) return;
    this.#lines.push(chunk);
    if (this.#lines.pendingBytes <= this.#options.limits.lineDiscardBytesMax) return;
    this.#cutOff = true;
    const message = 'The server writes without end and never finishes a line; it is being stopped.';
    this.#fail('protocol_error', message);
    ignore(this.close(), 'the failure is already told');
  }

  #readLine(given: string): void {
    // Programs of Windows may write a byte order mark first; JSON has none.
    const line = given.charCodeAt(0) === BYTE_ORDER_MARK ? given.slice(1) : given;
    let value: unknown;
    try {
      value = parseMessage(line);
    } catch {
      this.#count(line);
      return;
    }
    const isDeep = isDeeper(value, this.#options.limits.messageDepthMax, line.length);
    // Batches were part of the specification of 2025-03-26, and some servers still send them.
    if (Array.isArray(value)) for (const one of value) this.#take(one, line, isDeep);
    else this.#take(value, line, isDeep);
  }

  /** Fails the one call whose answer is too deep; any other deep message is dropped. */
  #take(value: unknown, line: string, isDeep: boolean): void {
    if (!isDeep) return this.#deliver(value, line);
    const instead = inPlaceOfDeep(value, this.#options.limits.messageDepthMax);
    if (instead) this.#deliver(instead, line);
    else this.#fail('too_large', 'The server sent a message that is nested too deeply; it was thrown away.');
  }

  #deliver(value: unknown, line: string): void {
    if (isMessage(value)) {
      try {
        this.onmessage?.(value);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      }
    } else if (isObject(value) && value['id'] === null && isObject(value['error'])) {
      // The server could not read something of ours, and cannot say what.
      const text = printable(String(value['error']['message']), this.#options.limits.shownLineCharsMax);
      this.#fail('server_error', `The server could not read a message: ${text}`);
    } else this.#count(line);
  }

  /** Fails the one call whose answer was too long; the connection goes on. */
  #refuse(line: LongLine): void {
    const size = `${line.bytes} bytes, more than the limit of ${this.#options.limits.messageBytesMax}`;
    const id = idOfLongLine(line);
    if (id === undefined) {
      this.#fail('too_large', `The server sent a line of ${size}; it was thrown away.`);
      return;
    }
    const data = { code: 'too_large', bytes: line.bytes };
    const error = { code: TOO_LARGE_CODE, message: `The answer has ${size}.`, data };
    this.onmessage?.({ jsonrpc: '2.0', id, error });
  }

  #count(line: string): void {
    this.#noiseCount += 1;
    const { noiseLinesKept, redactedLinesBefore, redactedLineCharsMax } = this.#options.limits;
    this.#noiseLines.push(printable(line, redactedLineCharsMax));
    if (this.#noiseLines.length > noiseLinesKept + redactedLinesBefore) this.#noiseLines.shift();
    this.#options.onNoise?.();
  }

  #fail(code: 'protocol_error' | 'server_error' | 'too_large', message: string): void {
    this.onerror?.(new PlugError(code, message, { owner: 'server' }));
  }
}

const BYTE_ORDER_MARK = 0xfeff;

/** A faulty answer counts, so that its caller hears of it at once. Other JSON, such as a log line, may have an id, too. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false;
  const { id, method } = value;
  const hasId = typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber;
  if (value['jsonrpc'] !== '2.0')
    return hasId && method === undefined && ('result' in value || 'error' in value);
  return typeof method === 'string' ? hasId || id === undefined : hasId;
}

/**
 * Waits until the output of an ended server was read. A process that it left behind may hold the stream
 * open, so two quiet spells in a row count: a busy hub may have missed the first one.
 */
export async function drained(stream: Readable, { clock, limits }: Bounds): Promise<void> {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  stream.on('data', count);
  const ended = new Promise<void>((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    else stream.once('end', resolve).once('close', resolve);
  });
  const until = clock.monotonic() + limits.exitDrainMs;
  for (let quiet = 0; quiet < 2 && clock.monotonic() < until;) {
    const before = bytes;
    if (await within(ended, limits.exitDrainQuietMs, clock)) break;
    quiet = bytes === before ? quiet + 1 : 0;
  }
  stream.off('data', count);
}
