import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { guarded } from '../../base/faults.ts';
import type { Ids } from '../../base/ids.ts';
import { idOfLongLine, LineSplitter, type LongLine } from '../../connections/processes/line-splitter.ts';
import type { Gateway } from '../gateway.ts';
import { gatewayLimits } from '../limits.ts';
import { rpcCodes, type RpcId } from '../rpc.ts';
import type { Scope } from '../scope.ts';
import { LineWriter } from './line-writer.ts';
import { streamLimits, type StreamLimits } from './limits.ts';
import { StreamHost } from './stream-host.ts';

export interface ServeStreamOptions {
  readonly scope: Scope;
  readonly principal: string;
  /** The host's name, if it came with a token of its own. */
  readonly host?: string;
  /** Where the host works, if it said so. */
  readonly cwd?: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Other bounds than the usual ones. */
  readonly limits?: Partial<StreamLimits & ServedLimits>;
}

/** Bounds of the gateway that every front has. */
type ServedLimits = { readonly [K in 'bodyBytesMax' | 'unreadBytesMax' | 'hostCallsAtOnceMax']: number };

export interface ServedStream {
  /** Resolves when the stream and everything of its host have ended. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves one host over a byte stream, one JSON-RPC message a line, until either side ends it. */
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
    unreadBytesMax: limits.unreadBytesMax,
    onDrain: () => {
      host.pump();
      proceed();
    },
    onStalled: () => duplex.destroy(),
  });
  const host = new StreamHost({
    ...about,
    gateway,
    link: ids.next('stream'),
    limits,
    callsAtOnceMax: limits.hostCallsAtOnceMax,
    write: (line) => writer.write(line),
    unreadBytes: () => writer.unreadBytes,
    unreadBytesMax: limits.unreadBytesMax,
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
  /** Reads on when there is room again; says goodbye once everything is answered. */
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
    // A host that has gone altogether looks the same until something is written: a blank line,
    // which the bridge keeps from its host, finds out.
    writer.write('');
    proceed();
  };
  // A bug of ours costs this host its stream, and nobody else anything.
  const end = (): unknown => duplex.destroy();
  duplex.on('data', guarded('a message of a host', read, end));
  duplex.once('end', guarded('the end of a host', endInput, end));
  // What broke the stream is of no interest: its end is what counts, and comes with `close`.
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

/** Which request was too long, as far as its two ends say it. */
function idOfRequest(line: LongLine): RpcId | null {
  const method = line.head.indexOf('"method"');
  return idOfLongLine(method === -1 ? line : { ...line, head: line.head.subarray(0, method) }) ?? null;
}
