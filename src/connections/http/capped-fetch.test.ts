import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP listener has such an address
}

function client(limits: Partial<Limits> = {}): HttpClient {
  return cleanup.use(createHttpClient({ clock: systemClock, ids: systemIds, limits }));
}

test('an answer arrives with its status, headers and body, and the request as it was given', async () => {
  let seen = '';
  const url = await listen((request, response) => {
    void text(request).then((body) => {
      seen = [body, request.method, request.url, request.headers['x-mine']].join(' ');
      return response
        .writeHead(201, { 'content-type': 'application/json', 'x-theirs': 'yes' })
        .end('{"a":"ü"}');
    });
  });
  const response = await client().fetch(`${url}/mcp?x=1`, {
    method: 'POST',
    headers: { 'x-mine': 'm' },
    body: 'hello',
  });
  expect(seen).toBe('hello POST /mcp?x=1 m');
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.ok, response.headers.get('x-theirs')]).toEqual([201, true, 'yes']);
  expect(await response.clone().json()).toEqual({ a: 'ü' });
  expect(await response.text()).toBe('{"a":"ü"}');
});

test('a form is sent as a form', async () => {
  let seen = '';
  const url = await listen((request, response) => {
    void text(request).then((body) => {
      seen = `${body} ${request.headers['content-type']}`;
      return response.end();
    });
  });
  await client().fetch(url, { method: 'POST', body: new URLSearchParams({ grant: 'x y' }) });
  expect(seen).toBe('grant=x+y application/x-www-form-urlencoded;charset=UTF-8');
});

test('an empty answer has no body', async () => {
  const url = await listen((_, response) => response.writeHead(204).end());
  const response = await client().fetch(url);
  expect([response.status, response.body]).toEqual([204, null]);
});

test('packed answers are unpacked, whatever the packing', async () => {
  const plain = 'hello '.repeat(1000);
  const pack: Record<string, (text: string) => Buffer> = {
    gzip: gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
  };
  const url = await listen((request, response) => {
    const name = request.url?.slice(1) ?? '';
    response.writeHead(200, { 'content-encoding': name }).end(pack[name]?.(plain));
  });
  for (const name of Object.keys(pack)) {
    const response = await client().fetch(`${url}/${name}`);
    expect(await response.text()).toBe(plain);
    expect(response.headers.get('content-encoding')).toBeNull();
  }
});

test('an unknown packing and a broken one are the server’s fault', async () => {
  const url = await listen((request, response) => {
    response.writeHead(200, { 'content-encoding': request.url?.slice(1) ?? '' }).end('not packed');
  });
  await expect(client().fetch(`${url}/zstd`)).rejects.toMatchObject({
    code: 'protocol_error',
    owner: 'server',
  });
  await expect(client().fetch(`${url}/gzip`)).rejects.toMatchObject({
    code: 'protocol_error',
    owner: 'server',
  });
});

test('an answer over the limit is refused, by its announced length or by what arrives', async () => {
  const url = await listen((request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': 5000 });
    response.write('x'.repeat(600));
    response.end('x'.repeat(4400));
  });
  const small = client({ httpAnswerBytesMax: 1000 });
  await expect(small.fetch(`${url}/announced`)).rejects.toMatchObject({ code: 'too_large', owner: 'server' });
  await expect(small.fetch(url)).rejects.toMatchObject({ code: 'too_large' });
  expect((await client({ httpAnswerBytesMax: 5000 }).fetch(url)).status).toBe(200);
});

test('the limit counts unpacked bytes', async () => {
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)));
  });
  await expect(client({ httpAnswerBytesMax: 1000 }).fetch(url)).rejects.toMatchObject({ code: 'too_large' });
});

verifies(
  ['attack:E7'],
  'a packed answer that grows a thousandfold is a bomb; one that grows as texts do is not',
  async () => {
    const text = JSON.stringify(Array.from({ length: 6_000 }, (_, n) => ({ n, name: `item ${n * 7919}` })));
    const url = await listen((request, response) => {
      const body = request.url?.endsWith('text') ? text : ' '.repeat(2_000_000);
      const name = request.url?.startsWith('/br') ? 'br' : 'gzip';
      response.writeHead(200, { 'content-encoding': name });
      const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
      response.end(name === 'br' ? brotliCompressSync(body, quick) : gzipSync(body));
    });
    const wary = client({ inflateFreeBytes: 100_000 });
    for (const name of ['gzip', 'br']) {
      await expect(wary.fetch(`${url}/${name}`)).rejects.toMatchObject({ code: 'too_large' });
      expect(await (await wary.fetch(`${url}/${name}/text`)).text()).toBe(text);
    }
  },
);

verifies(['attack:E8'], 'headers of 1 MB are refused', async () => {
  const url = await listen((_, response) => response.setHeader('x-big', 'x'.repeat(1024 * 1024)).end());
  await expect(client().fetch(url)).rejects.toMatchObject({ code: 'too_large', owner: 'server' });
});

verifies(['attack:E8'], 'a server that never sends its headers is given up', async () => {
  const url = await listen(() => undefined);
  await expect(client({ httpHeadersMs: 200 }).fetch(url)).rejects.toMatchObject({
    code: 'call_timeout',
    owner: 'server',
  });
});

verifies(['attack:E8'], 'a body that stops is given up, and its socket closed', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await listen((_, response) => {
    response.on('close', () => gone.resolve());
    response.writeHead(200, { 'content-length': 10 }).write('x');
  });
  await expect(client({ httpBodyIdleMs: 100 }).fetch(url)).rejects.toMatchObject({ code: 'call_timeout' });
  await gone.promise;
});

verifies(['attack:E8'], 'a body that trickles for ever is given up', async () => {
  let trickle: NodeJS.Timeout | undefined;
  const url = await listen((_, response) => {
    trickle = setInterval(() => response.write('x'), 20);
  });
  cleanup.defer(() => clearInterval(trickle));
  const patient = client({ httpBodyIdleMs: 150, httpBodyTotalMs: 500 });
  await expect(patient.fetch(url)).rejects.toMatchObject({ code: 'call_timeout', owner: 'server' });
});

test('a server that breaks off its answer is named', async () => {
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
  });
  await expect(client().fetch(url)).rejects.toMatchObject({ code: 'unreachable', owner: 'network' });
});

test('something that is not HTTP is called so', async () => {
  const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.close());
  const { port } = server.address() as AddressInfo; // a TCP listener has such an address
  await expect(client().fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'protocol_error' });
});

test('a refused port says that nothing listens there, and what to do', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has such an address
  server.close();
  await once(server, 'close');
  await expect(client().fetch(`http://127.0.0.1:${port}/mcp?key=hidden`)).rejects.toMatchObject({
    code: 'unreachable',
    owner: 'network',
    message: `Nothing listens at 127.0.0.1:${port}.`,
    next: `Start the service at 127.0.0.1:${port}, or correct the server's address.`,
  });
});

test('a name that does not exist is named', async () => {
  const error: unknown = await client()
    .fetch('http://no-such-host.invalid/mcp')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('no-such-host.invalid'),
  });
});

test('an event stream is handed over while it runs, and may rest', async () => {
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    setTimeout(() => response.end('data: 2\n\n'), 300);
  });
  const response = await client({ httpBodyIdleMs: 50, httpBodyTotalMs: 50 }).fetch(url);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('data: 1\n\n');
  expect((await reader?.read())?.value).toBe('data: 2\n\n');
  expect((await reader?.read())?.done).toBe(true);
});

test('an event without an end is cut at the limit; many events that end are not', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await listen((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const end = { '/lf': '\n\n', '/crlf': '\r\n\r\n', '/cr': '\r\r' }[request.url ?? ''];
    if (end === undefined) {
      response.on('close', () => gone.resolve());
      for (let n = 0; n < 50; n += 1) response.write('x'.repeat(100));
      return;
    }
    for (let n = 0; n < 50; n += 1) response.write(`data: ${'x'.repeat(90)}${end}`);
    response.end();
  });
  const small = client({ sseEventBytesMax: 1000 });
  for (const path of ['/lf', '/crlf', '/cr']) {
    expect((await (await small.fetch(url + path)).text()).length).toBeGreaterThan(4500);
  }
  const ends: unknown[] = [];
  const endless = await small.fetch(`${url}/endless`, {}, { onStreamEnd: (error) => ends.push(error) });
  await expect(endless.text()).rejects.toMatchObject({ code: 'too_large', owner: 'server' });
  expect(ends).toMatchObject([{ code: 'too_large' }]);
  await gone.promise;
});

test('aborting works before the headers, in the body and in a stream, and reaches the server', async () => {
  let closed = 0;
  const url = await listen((request, response) => {
    response.on('close', () => (closed += 1));
    if (request.url === '/headers') return;
    const type = request.url === '/stream' ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type }).write(': start\n\n');
  });
  const http = client();
  for (const path of ['/headers', '/body']) {
    const abort = new AbortController();
    const call = http.fetch(url + path, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
  }
  const abort = new AbortController();
  const ends: unknown[] = [];
  const stream = await http.fetch(
    `${url}/stream`,
    { signal: abort.signal },
    { onStreamEnd: (e) => ends.push(e) },
  );
  setTimeout(() => abort.abort(new Error('enough')), 50);
  await expect(stream.text()).rejects.toThrow('enough');
  expect(ends).toEqual([]);
  await expect.poll(() => closed).toBe(3);
  await expect(http.fetch(url, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
});

test('who cancels a stream closes its connection', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await listen((_, response) => {
    response.on('close', () => gone.resolve());
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const response = await client().fetch(url);
  await response.body?.cancel();
  await gone.promise;
  expect(response.status).toBe(200);
});

test('a redirect is handed back and never followed', async () => {
  let arrived = 0;
  const other = await listen((_, response) => {
    arrived += 1;
    response.end();
  });
  const url = await listen((_, response) => response.writeHead(307, { location: `${other}/trap` }).end());
  const response = await client().fetch(url, { method: 'POST', body: 'secret', redirect: 'follow' });
  expect([response.status, response.headers.get('location')]).toEqual([307, `${other}/trap`]);
  await expect(client().fetch(url, { redirect: 'error' })).rejects.toMatchObject({ code: 'protocol_error' });
  expect(arrived).toBe(0);
});

test('closing the client ends what still runs on it', async () => {
  const url = await listen(() => undefined);
  const http = client();
  const call = http.fetch(url);
  setTimeout(() => void http.close(), 50);
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  await expect(http.fetch(url)).rejects.toMatchObject({ code: 'cancelled' });
  await http.close();
});
