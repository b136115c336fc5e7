import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { ignore, PlugError, type ErrorCode } from '../../base/errors.ts';
import type { Remedy } from '../../base/remedy.ts';
import type { Ids } from '../../base/ids.ts';
import type { Gateway } from '../gateway.ts';
import { headersOf, type Admit, type Via } from '../http/knock.ts';
import { boundScope, otherProfile, scopeOf, wrongQuery, type Scope } from '../scope.ts';
import { READ_ONLY, STREAM_PATH, STREAM_PROTOCOL } from './address.ts';
import { streamLimits } from './limits.ts';
import { serveStream, type ServedStream } from './serve-stream.ts';

export interface StreamFrontOptions {
  readonly gateway: Gateway;
  readonly admit: Admit;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface StreamFront extends AsyncDisposable {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, via: Via): void;
  endHost(principal: string): void;
  open(): number;
  close(): Promise<void>;
}

/** `GET /mcp/stream?profile=&server=&mode=&read-only=` with `Upgrade: plug-mcp` becomes a message stream. */
export function openStreamFront({ gateway, admit, clock, ids }: StreamFrontOptions): StreamFront {
  const streams = new Map<ServedStream, string>();
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([...streams.keys()].map((stream) => stream.close()));
  };
  return {
    upgrade: (request, socket, head, via) => {
      // Nothing else listens until the stream is served.
      const broken = (): void => void socket.destroy();
      socket.once('error', broken);
      const header = headersOf(request);
      const url = URL.parse(request.url ?? '', 'http://localhost');
      if (!url) return refuse(socket, 400, noStream());
      const admitted = admit({ header, path: url.pathname }, via);
      if ('status' in admitted) return refuse(socket, admitted.status, failure('denied', admitted.message));
      if (url.pathname !== STREAM_PATH || header('upgrade')?.toLowerCase() !== STREAM_PROTOCOL) {
        return refuse(socket, 404, noStream());
      }
      const wanted = scopeIn(url.searchParams);
      if (typeof wanted === 'string') {
        return refuse(socket, 400, failure('usage', wanted, { do: 'help', topic: 'gateway' }));
      }
      const { principal, folder, host } = admitted;
      const scope = boundScope(wanted, host);
      if (!scope) {
        const why = host ? otherProfile(host) : 'This is not for this host.';
        return refuse(socket, 403, failure('denied', why));
      }
      // A bridge reconnects at once, while the hub still listens.
      if (isClosed) {
        return refuse(socket, 503, failure('hub_unavailable', 'The hub is stopping.', { do: 'start-hub' }));
      }
      if (streams.size >= streamLimits.streamsMax) {
        const full = `${streamLimits.streamsMax} hosts are connected already.`;
        return refuse(socket, 503, failure('unavailable', full, 'Close some of them.'));
      }
      socket.write(ACCEPTED);
      if (head.length > 0) socket.unshift(head);
      const seen = folder === undefined ? scope : { ...scope, folder };
      const about = { scope: seen, principal, host: host?.name, cwd: folder };
      const stream = serveStream(gateway, socket, { ...about, clock, ids });
      socket.off('error', broken);
      streams.set(stream, principal);
      void stream.ended.then(() => streams.delete(stream));
    },
    endHost: (principal) => {
      for (const [stream, of] of streams) {
        if (of === principal) ignore(stream.close(), 'it never rejects');
      }
    },
    open: () => streams.size,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const ACCEPTED = [
  'HTTP/1.1 101 Switching Protocols',
  'connection: Upgrade',
  `upgrade: ${STREAM_PROTOCOL}`,
  '',
  '',
].join('\r\n');

/** The scope, or what is wrong with it. */
function scopeIn(query: URLSearchParams): Scope | string {
  const profile = query.get('profile');
  const server = query.get('server');
  if (profile !== null && server !== null) return 'A gateway shows a profile or a server, not both.';
  const path = profile !== null ? `/p/${profile}` : server !== null ? `/s/${server}` : '';
  const asked = new URLSearchParams([...query].filter(([key]) => key === 'mode' || key === READ_ONLY));
  const scope = scopeOf(path, asked);
  if (scope) return scope;
  const name = (profile ?? server ?? '').slice(0, SHOWN_CHARS_MAX);
  const kind = profile === null ? 'server' : 'profile';
  return wrongQuery(path, asked) ?? `“${name}” cannot be the name of a ${kind}.`;
}

const SHOWN_CHARS_MAX = 100;

function failure(code: ErrorCode, message: string, remedy?: Remedy | string): PlugError {
  return new PlugError(code, message, { owner: 'you', remedy });
}

function noStream(): PlugError {
  return failure('not_found', 'There is no such stream.', { do: 'show', what: 'gateway' });
}

function refuse(socket: Duplex, status: number, error: PlugError): void {
  const body = JSON.stringify({ error: error.toView() });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
