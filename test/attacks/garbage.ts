import { connect, type NetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a program may send to a listener that expects HTTP: as bytes, cut into the pieces that go out. */
export interface Garbage {
  readonly name: string;
  readonly pieces: readonly (string | Buffer)[];
  /** How the sender leaves. */
  readonly end?: 'half' | 'reset';
}

/** Everything that once broke a listener, or could: `host` is the name that the listener takes. */
export function garbageFor(host: string, extra: readonly string[] = []): readonly Garbage[] {
  const head = [`Host: ${host}`, ...extra].join('\r\n');
  const ask = (line: string, ...more: readonly string[]): string =>
    `${[line, head, ...more].join('\r\n')}\r\n\r\n`;
  const chunked = ask('POST /mcp HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked');
  const upgrade = (to: string, path = '/mcp/stream'): string =>
    ask(`GET ${path} HTTP/1.1`, 'Connection: Upgrade', `Upgrade: ${to}`);
  const paths = [
    '//',
    '///',
    '//x',
    '/\\',
    '/%',
    '/%00',
    '/%ff%fe',
    '/..//..',
    '/?%',
    '/#',
    '/callback?state=%',
    '*',
  ];
  const methods = ['GET', 'POST', 'OPTIONS', 'DELETE', 'TRACE', 'HEAD', 'PROPFIND', 'M-SEARCH'];
  const one = (name: string, piece: string | Buffer, end?: Garbage['end']): Garbage => ({
    name,
    pieces: [piece],
    ...(end ? { end } : {}),
  });
  return [
    ...methods.flatMap((method) =>
      paths.map((path) => one(`${method} ${path}`, ask(`${method} ${path} HTTP/1.1`))),
    ),
    ...paths.map((path) => one(`upgrade at ${path}`, upgrade('plug-mcp', path))),
    one('CONNECT', ask(`CONNECT evil.test:443 HTTP/1.1`)),
    one('CONNECT with nothing', ask('CONNECT / HTTP/1.1')),
    one('OPTIONS *', ask('OPTIONS * HTTP/1.1')),
    one('absolute form', ask('GET http://evil.test//x HTTP/1.1')),
    one('absolute form of no address', ask('GET http:// HTTP/1.1')),
    one('absolute form of ours', ask(`GET http://${host}//?a=%zz HTTP/1.1`)),
    one('a scheme', ask('GET javascript:alert(1) HTTP/1.1')),
    one('no host', 'GET / HTTP/1.1\r\n\r\n'),
    one('two hosts', `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test\r\n\r\n`),
    one('an empty host', 'GET // HTTP/1.1\r\nHost: \r\n\r\n'),
    one('an odd host', 'GET / HTTP/1.1\r\nHost: [::\r\n\r\n'),
    one('HTTP/1.0', 'GET // HTTP/1.0\r\n\r\n'),
    one('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    one('TLS', Buffer.from('16030100a5010000a10303', 'hex')),
    one('zeros', Buffer.alloc(4_096)),
    one('every byte', Buffer.from(Array.from({ length: 256 }, (_, at) => at))),
    one('huge header', ask('GET / HTTP/1.1', `X: ${'x'.repeat(200_000)}`)),
    one('many headers', ask('GET / HTTP/1.1', ...Array.from({ length: 5_000 }, (_, at) => `X${at}: y`))),
    one(
      'a header of bytes',
      Buffer.concat([Buffer.from(`GET / HTTP/1.1\r\n${head}\r\nX: `), Buffer.from([0, 255, 13, 10, 13, 10])]),
    ),
    one('a folded header', ask('GET / HTTP/1.1', 'X: a', ' b')),
    one('expect', ask('POST /mcp HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 5')),
    one('expect of something else', ask('POST /mcp HTTP/1.1', 'Expect: coffee', 'Content-Length: 5')),
    one('negative length', ask('POST /mcp HTTP/1.1', 'Content-Length: -1')),
    one('huge length', ask('POST /open HTTP/1.1', 'Content-Length: 99999999999999999999')),
    one('length and chunks', ask('POST /mcp HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked')),
    one('odd encoding', ask('POST /mcp HTTP/1.1', 'Transfer-Encoding: gzip, identity')),
    one('broken chunk', `${chunked}zz\r\n{}\r\n0\r\n\r\n`),
    one('huge chunk', `${chunked}ffffffffffffffff\r\n{}`),
    one('chunk that stops', `${chunked}5\r\n{`, 'half'),
    one('chunk that breaks off', `${chunked}5\r\n{`, 'reset'),
    one('odd trailers', `${chunked}2\r\n{}\r\n0\r\nHost: evil.test\r\n\r\n`),
    one('websocket', upgrade('websocket')),
    one('h2c', upgrade('h2c')),
    one('stream of another path', upgrade('plug-mcp', '/mcp')),
    one('stream that breaks off at once', upgrade('plug-mcp'), 'reset'),
    one('stream with bytes behind it', `${upgrade('plug-mcp')}\x00\xff{]\n[[[[\n"\n`),
    one('half closed', ask('GET / HTTP/1.1'), 'half'),
    one('half a request', `GET / HTTP/1.1\r\n${head}`, 'half'),
    one('half a request that breaks off', `GET /`, 'reset'),
    one('nothing', '', 'reset'),
    one('pipeline', ask('GET /health HTTP/1.1').repeat(50)),
    one('pipeline that breaks off', ask('POST /mcp HTTP/1.1', 'Content-Length: 2').repeat(20), 'reset'),
    { name: 'byte by byte', pieces: ask('GET // HTTP/1.1').split('') },
    { name: 'cut in the middle of the head', pieces: ['GET', ' //', ' HTTP/1.1\r', `\n${head}\r\n\r`, '\n'] },
  ];
}

/** Sends it, reads whatever comes for a moment, and goes. */
export async function throwAt(to: NetConnectOpts, { pieces, end }: Garbage): Promise<string> {
  const socket = connect(to);
  let heard = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  for (const piece of pieces) {
    socket.write(piece);
    if (pieces.length > 1) await sleep(1);
  }
  if (end === 'half') socket.end();
  // Only TCP knows a reset.
  const leave = (): unknown => ('path' in to ? socket.destroy() : socket.resetAndDestroy());
  if (end === 'reset') setTimeout(leave, 2);
  await Promise.race([closed, sleep(40)]);
  socket.destroy();
  return heard;
}
