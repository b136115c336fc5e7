import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { Gateway } from '../gateway.ts';
import { openStreamFront } from './upgrade.ts';

test('a request that asks for no stream of ours is refused with a sentence', async () => {
  const { ask } = await listening();
  expect(await ask('/mcp/stream', 'websocket')).toContain('HTTP/1.1 404 Not Found');
  expect(await ask('/elsewhere', 'plug-mcp')).toContain('There is no such stream.');
  expect(await ask('http://[', 'plug-mcp')).toContain('HTTP/1.1 400');
});

test('a scope that makes no sense is refused with what is wrong about it', async () => {
  const { ask } = await listening();
  expect(await ask('/mcp/stream?mode=most', 'plug-mcp')).toContain('There is no mode “most”');
  expect(await ask('/mcp/stream?profile=a&server=b', 'plug-mcp')).toContain('not both');
  expect(await ask('/mcp/stream?server=..%2Fx', 'plug-mcp')).toContain('cannot be the name of a server');
});

test('whoever the guard refuses gets no stream', async () => {
  const { ask, open } = await listening(true);
  expect(await ask('/mcp/stream', 'plug-mcp')).toContain('HTTP/1.1 401');
  expect(open()).toBe(0);
});

test('what was sent together with the request is read, and closing ends every stream', async () => {
  const { ask, close, open } = await listening();
  const answer = ask('/mcp/stream', 'plug-mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  while (open() === 0) await systemClock.sleep(5);
  await systemClock.sleep(50);
  await close();
  expect(await answer).toContain('upgrade: plug-mcp\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
  expect(open()).toBe(0);
});

test('a bridge that comes back while the hub stops gets no stream', async () => {
  const { ask, close, open } = await listening();
  await close();
  expect(await ask('/mcp/stream', 'plug-mcp')).toContain('The hub is stopping.');
  expect(open()).toBe(0);
});

interface Listening {
  readonly ask: (path: string, protocol: string, more?: string) => Promise<string>;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

async function listening(refuses = false): Promise<Listening> {
  const gateway = {} as Gateway; // nothing here gets as far as the gateway
  const admit = (): ReturnType<Parameters<typeof openStreamFront>[0]['admit']> =>
    refuses ? { status: 401, message: 'No.', headers: {} } : { principal: 'me' };
  const front = openStreamFront({ gateway, admit, clock: systemClock, ids: systemIds });
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) => front.upgrade(request, socket, head, 'port'));
  await once(server, 'listening');
  onTestFinished(async () => {
    await front.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    open: () => front.open(),
    close: () => front.close(),
    ask: async (path, protocol, more = '') => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.on('error', () => undefined); // the test looks at what came before
      let text = '';
      socket.on('data', (chunk: string) => (text += chunk));
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: ${protocol}\r\n\r\n${more}`,
      );
      await once(socket, 'close');
      return text;
    },
  };
}
