import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { exchangeOnSocket } from './socket-exchange.ts';

const get = { method: 'GET', path: '/', headers: {} };

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

async function listening(server: Server | ReturnType<typeof createSocketServer>): Promise<string> {
  const path = join(temporaryFolder(), 'x.sock');
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return path;
}

/** Answers with these bytes, so many at a time. */
function saying(bytes: string, step: number): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    const all = Buffer.from(bytes);
    const send = (from: number): void => {
      if (from >= all.length) socket.end();
      else socket.write(all.subarray(from, from + step), () => setImmediate(send, from + step));
    };
    socket.once('data', () => send(0));
  });
  return listening(server);
}

test('what a listener of Node answers arrives whole, with its status and headers', async () => {
  const big = 'Grüße '.repeat(200_000);
  const path = await listening(
    createServer((request, response) => {
      response.setHeader('X-Asked', `${request.method} ${request.url}`);
      if (request.url === '/counted') response.writeHead(201).end(big);
      else if (request.url === '/nothing') response.writeHead(204).end();
      else {
        response.write(big);
        request.pipe(response);
      }
    }),
  );
  const counted = await exchangeOnSocket(path, { ...get, path: '/counted' });
  expect([counted.status, counted.headers.get('x-asked')]).toEqual([201, 'GET /counted']);
  expect(await textOf(counted.body)).toBe(big);
  expect(await textOf((await exchangeOnSocket(path, { ...get, path: '/nothing' })).body)).toBe('');
  const posted = await exchangeOnSocket(path, { method: 'POST', path: '/', headers: {}, body: 'über' });
  expect(posted.headers.get('transfer-encoding')).toBe('chunked');
  expect(await textOf(posted.body)).toBe(`${big}über`);
});

test.for([1, 2, 3, 7, 4_096])('it does not matter where the bytes are cut: every %i', async (step) => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const path = await saying(`${head}5\r\nhello\r\n1;note=x\r\n \r\n6\r\n\r\n\r\nme\r\n0\r\n\r\n`, step);
  expect(await textOf((await exchangeOnSocket(path, get)).body)).toBe('hello \r\n\r\nme');
  const plain = await saying('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone and more', step);
  const response = await exchangeOnSocket(plain, get);
  expect([response.status, await textOf(response.body)]).toEqual([404, 'gone']);
});

test.for([
  ['in the middle of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhal'],
  ['before the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ['before the counted end', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
] as const)('an answer that is cut %s is a failure, never a shorter answer', async ([, bytes]) => {
  const { body } = await exchangeOnSocket(await saying(bytes, 4), get);
  await expect(textOf(body)).rejects.toThrow('before the answer was whole');
});

test('whoever is no hub is found out', async () => {
  await expect(exchangeOnSocket(await saying('SSH-2.0-x\r\n\r\n', 64), get)).rejects.toThrow(
    'not speak HTTP',
  );
  await expect(exchangeOnSocket(await saying('', 64), get)).rejects.toThrow('before the answer');
  await expect(exchangeOnSocket(join(temporaryFolder(), 'none'), get)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('a stream ends with its signal, at both ends', async () => {
  const closed = Promise.withResolvers<void>();
  const path = await listening(
    createServer((_request, response) => {
      response.write('first');
      response.once('close', closed.resolve);
    }),
  );
  const stop = new AbortController();
  const { body } = await exchangeOnSocket(path, { ...get, signal: stop.signal });
  const reader = body[Symbol.asyncIterator]();
  expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('first');
  const next = reader.next();
  stop.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
  await closed.promise;
  await expect(exchangeOnSocket(path, { ...get, signal: stop.signal })).rejects.toThrow('enough');
});
