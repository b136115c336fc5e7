import type { Duplex, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { guarded } from '../../base/faults.ts';
import type { Ids } from '../../base/ids.ts';
import { idOfLongLine, LineSplitter, type LongLine } from '../../connections/processes/line-splitter.ts';
import type { Gateway, HostIdentity } from '../gateway.ts';
import { gatewayLimits, type GatewayLimits } from '../limits.ts';
import { rpcCodes, type RpcId } from '../rpc.ts';
import { streamLimits, type StreamLimits } from './limits.ts';
import { StreamHost } from './stream-host.ts';

export interface ServeStreamOptions extends HostIdentity {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits?: Partial<ServedLimits>;
}

export type ServedLimits = StreamLimits &
  Pick<GatewayLimits, 'bodyBytesMax' | 'unreadBytesMax' | 'hostCallsAtOnceMax'>;

export interface ServedStream {
  /** Resolves when the stream and its host have ended. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function serveStream(gateway: Gateway, duplex: Duplex, options: ServeStreamOptions): ServedStream {
  const { clock, ids, ...about } = options;
  const limits = { ...gatewayLimits, ...streamLimits, ...options.limits };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let inputEnded = false;
  let cancelWait: (() => void) | undefined;

  const writer = new LineWriter({
    stream: duplex,
    clock,
    limits,
    onDrain: () => {
      host.pump();
      proceed();
    },
    onStalled: () => void duplex.destroy(),
  });
  const host = new StreamHost({
    ...about,
    gateway,
    link: ids.next('stream'),
    limits,
    write: (line) => writer.write(line),
    unreadBytes: () => writer.unreadBytes,
    onEnd: () => proceed(),
  });
  const lines = new LineSplitter({
    bytesMax: limits.bodyBytesMax,
    edgeBytes: limits.lineEdgeBytes,
    onLine: (line) => host.receive(line),
    onTooLong: (line) => {
      const why = `The message has ${line.bytes} bytes; ${limits.bodyBytesMax} are the most.`;
      host.refuse(idOfRequest(line), rpcCodes.invalidRequest, why);
    },
  });
  /** Resumes reading when there is room; ends once everything is answered. */
  const proceed = (): void => {
    if (inputEnded && host.open === 0) writer.end();
    else if (duplex.isPaused() && !host.isFull) duplex.resume();
  };

  const read = (chunk: Buffer): void => {
    lines.push(chunk);
    if (host.isFull) duplex.pause();
  };
  const endInput = (): void => {
    lines.end();
    inputEnded = true;
    host.endInput();
    cancelWait = clock.after(limits.halfClosedMs, () => duplex.destroy());
    // A blank line, which the bridge drops, finds out whether the host is gone altogether.
    writer.write('');
    proceed();
  };
  // A bug costs this host its stream, and no other.
  const end = (): unknown => duplex.destroy();
  duplex.on('data', guarded('a message of a host', read, end));
  duplex.once('end', guarded('the end of a host', endInput, end));
  // `close` follows.
  duplex.on('error', () => duplex.destroy());
  duplex.once('close', () => {
    cancelWait?.();
    host.close().then(resolve, resolve);
  });
  return {
    ended,
    close: () => {
      duplex.destroy();
      return ended;
    },
  };
}

function idOfRequest(line: LongLine): RpcId | null {
  const method = line.head.indexOf('"method"');
  return idOfLongLine(method === -1 ? line : { ...line, head: line.head.subarray(0, method) }) ?? null;
}

interface LineWriterOptions {
  readonly stream: Writable;
  readonly clock: Clock;
  readonly limits: ServedLimits;
  readonly onDrain: () => void;
  readonly onStalled: () => void;
}

class LineWriter {
  readonly #options: LineWriterOptions;
  #queue: (string | Buffer)[] = [];
  #queuedBytes = 0;
  #blocked = false;
  #scheduled = false;
  #ended = false;
  #takenAt: number;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#takenAt = options.clock.monotonic();
    const drained = (): void => {
      this.#blocked = false;
      this.#takenAt = options.clock.monotonic();
      this.#flush();
      options.onDrain();
    };
    const end = (): unknown => options.stream.destroy();
    options.stream.on('drain', guarded('an answer to a host', drained, end));
  }

  /** Characters for queued text: counting bytes costs a walk over each. */
  get unreadBytes(): number {
    return this.#queuedBytes + this.#options.stream.writableLength;
  }

  write(line: string): void {
    if (this.#ended) return;
    if (this.#isStalled()) {
      this.#ended = true;
      this.#queue = [];
      this.#queuedBytes = 0;
      return this.#options.onStalled();
    }
    this.#keep(`${line}\n`);
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#blocked = false;
    this.#flush();
    this.#options.stream.end();
  }

  #isStalled(): boolean {
    const { limits, clock } = this.#options;
    const { unreadBytes } = this;
    if (unreadBytes <= limits.unreadBytesMax) return false;
    if (unreadBytes > limits.unreadBurstBytesMax) return true;
    return clock.monotonic() - this.#takenAt > limits.unreadStalledMs;
  }

  #keep(text: string): void {
    const { pieceBytes } = this.#options.limits;
    if (text.length <= pieceBytes) {
      this.#queue.push(text);
      this.#queuedBytes += text.length;
      return;
    }
    const bytes = Buffer.from(text);
    this.#queuedBytes += bytes.length;
    for (let at = 0; at < bytes.length; at += pieceBytes)
      this.#queue.push(bytes.subarray(at, at + pieceBytes));
  }

  #flush(): void {
    const { stream, limits } = this.#options;
    const queue = this.#queue;
    let next = 0;
    while (!this.#blocked && next < queue.length && !stream.destroyed) {
      let batch = queue[next++] as string | Buffer; // the index was checked
      for (
        let more = queue[next];
        typeof batch === 'string' && typeof more === 'string';
        more = queue[next]
      ) {
        if (batch.length + more.length > limits.batchChars) break;
        batch += more;
        next += 1;
      }
      this.#queuedBytes -= batch.length;
      // After the end the stream buffers the rest.
      this.#blocked = !stream.write(batch) && !this.#ended;
    }
    this.#queue = next < queue.length ? queue.slice(next) : [];
  }
}
