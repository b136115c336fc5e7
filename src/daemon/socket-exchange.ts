import type { Socket } from 'node:net';
import type { SendRequest } from '../api/send.ts';

// An import would load every lazy part of the module.
const net = process.getBuiltinModule('node:net');

export interface SocketRequest extends Pick<SendRequest, 'path' | 'body' | 'signal'> {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SocketResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Throws when the other end closes before it is complete. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** HTTP/1.1 between our own ends: loading Node's client would cost a command 10 % of its time. */
export async function exchangeOnSocket(path: string, request: SocketRequest): Promise<SocketResponse> {
  const { signal } = request;
  signal?.throwIfAborted();
  const socket = net.connect(path);
  // A reader fails with the caller's reason.
  const onAbort = (): unknown => socket.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  socket.once('close', () => signal?.removeEventListener('abort', onAbort));
  // A later error reaches the reader too; without a listener it would end the process.
  socket.on('error', () => undefined);
  socket.write(headOf(request) + (request.body ?? ''));
  const chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator](); // no encoding was set
  try {
    const { head, rest } = await readHead(chunks);
    return { ...head, body: bodyOf(socket, head.headers, rest, chunks) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function headOf({ method, path, headers, body }: SocketRequest): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ host: 'localhost', connection: 'close', ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

type Chunks = AsyncIterator<Buffer, unknown>;
type Head = Pick<SocketResponse, 'status' | 'headers'>;

async function readHead(chunks: Chunks): Promise<{ readonly head: Head; readonly rest: Buffer }> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf('\r\n\r\n');
    if (end !== -1) return { head: parseHead(read.toString('latin1', 0, end)), rest: read.subarray(end + 4) };
    if (read.length > HEAD_BYTES_MAX) throw new Error('The head of the answer does not end.');
    read = Buffer.concat([read, await nextOf(chunks)]);
  }
}

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})\b/.exec(first) ?? [];
  if (status === undefined) throw new Error('What answered does not speak HTTP.');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(status), headers: new Map(headers) };
}

async function* bodyOf(
  socket: Socket,
  headers: Head['headers'],
  rest: Buffer,
  chunks: Chunks,
): AsyncGenerator<Uint8Array> {
  try {
    if (headers.get('transfer-encoding') === 'chunked') yield* chunkedBody(rest, chunks);
    else yield* countedBody(rest, chunks, Number(headers.get('content-length') ?? 0));
  } finally {
    socket.destroy();
  }
}

async function* countedBody(rest: Buffer, chunks: Chunks, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for (let chunk = rest; ; chunk = await nextOf(chunks)) {
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (part.length > 0) yield part;
    if (left === 0) return;
  }
}

/** Chunks are yielded as they come, also in parts: an event must not wait for the next. */
async function* chunkedBody(rest: Buffer, chunks: Chunks): AsyncGenerator<Buffer> {
  let read = rest;
  for (;;) {
    let end = read.indexOf('\r\n');
    for (; end === -1; end = read.indexOf('\r\n')) {
      if (read.length > SIZE_BYTES_MAX) throw new Error('A chunk of the answer has no size.');
      read = Buffer.concat([read, await nextOf(chunks)]);
    }
    const size = Number.parseInt(read.toString('latin1', 0, end), 16);
    if (!(size >= 0)) throw new Error('A chunk of the answer has no size.');
    if (size === 0) return; // our hub sends no trailers
    read = read.subarray(end + 2);
    let left = size;
    while (left > 0) {
      if (read.length === 0) read = await nextOf(chunks);
      const part = read.subarray(0, left);
      left -= part.length;
      read = read.subarray(part.length);
      yield part;
    }
    while (read.length < 2) read = Buffer.concat([read, await nextOf(chunks)]);
    read = read.subarray(2); // the line end behind the chunk
  }
}

async function nextOf(chunks: Chunks): Promise<Buffer> {
  const { done, value } = await chunks.next();
  if (done) throw new Error('The connection was closed before the answer was whole.');
  return value;
}

const HEAD_BYTES_MAX = 64 * 1024;
const SIZE_BYTES_MAX = 1024;
