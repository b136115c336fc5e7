import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { assert, asyncProperty, constantFrom, record, array, boolean, string } from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readHead } from './exchange.ts';

const headOf = (request: string): ReturnType<typeof readHead> => {
  const bytes = Buffer.from(request, 'latin1');
  return readHead(bytes, bytes.indexOf('\r\n\r\n'), undefined);
};
const HEAD = 'POST /mcp/s/echo?mode=all HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 2\r\n';

test('a head as clients write it is read, names in lower case and values without the space around them', () => {
  const head = headOf(`${HEAD}Accept:  application/json \r\nX-Empty:\r\n\r\n`);
  expect(head).toMatchObject({ url: '/mcp/s/echo?mode=all', bodyBytes: 2, stays: true });
  expect([...(head?.headers ?? [])]).toEqual([
    ['host', '127.0.0.1:1'],
    ['content-length', '2'],
    ['accept', 'application/json'],
    ['x-empty', ''],
  ]);
  expect(headOf(`${HEAD}Connection: close\r\n\r\n`)?.stays).toBe(false);
});

test('whatever else HTTP allows or does not allow is not read by hand', () => {
  const odd = [
    HEAD.replace('POST', 'GET'),
    HEAD.replace('/mcp', '/v1'),
    HEAD.replace('1.1', '1.0'),
    HEAD.replace('POST ', 'POST  '),
    HEAD.replace('?mode', '?\tmode'),
    HEAD.replace('Host: 127.0.0.1:1\r\n', ''),
    HEAD.replace('Content-Length: 2\r\n', ''),
    HEAD.replace('Length: 2', 'Length: 0x2'),
    HEAD.replace('Length: 2', 'Length: +2'),
    HEAD.replace('Length: 2', 'Length: 2, 2'),
    HEAD.replace('Length: 2', 'Length: -2'),
    HEAD.replace('Length: 2', 'Length: 9999999999'),
    `${HEAD}Content-Length: 2\r\n`,
    `${HEAD}Host: evil\r\n`,
    `${HEAD}Authorization: Bearer a\r\nauthorization: Bearer b\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\n`,
    `${HEAD}Expect: 100-continue\r\n`,
    `${HEAD}Upgrade: websocket\r\nConnection: upgrade\r\n`,
    `${HEAD}Connection: keep-alive, upgrade\r\n`,
    `${HEAD}X-Folded: a\r\n b\r\n`,
    `${HEAD}X-Space : a\r\n`,
    `${HEAD} X-Indented: a\r\n`,
    `${HEAD}: nameless\r\n`,
    `${HEAD}no colon\r\n`,
    `${HEAD}X-Bare: a\rb\r\n`,
    `${HEAD}X-Bare: a\nb: c\r\n`,
    `${HEAD}X-Zero: a\0b\r\n`,
    `${HEAD}X-Latin: \u00e9\r\n`,
    `${HEAD}X-Large: ${'a'.repeat(20_000)}\r\n`,
  ];
  for (const head of odd)
    expect([head.slice(0, 200), headOf(`${head}\r\n`)]).toEqual([expect.any(String), undefined]);
});

/** What Node makes of the same bytes, or undefined where it refuses them. */
async function byNode(): Promise<(request: string) => Promise<object | undefined>> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      response.setHeader('connection', 'close');
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return (request) =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1').setEncoding('latin1').on('error', reject);
      socket.on('data', (chunk: string) => (answer += chunk));
      socket.on('close', () => {
        const isRead = answer.startsWith('HTTP/1.1 200');
        resolve(
          isRead
            ? (JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as object)
            : undefined,
        );
      });
      socket.write(request, 'latin1');
    });
}

test('what is read by hand is read as Node reads it, whatever is put into a head', async () => {
  const node = await byNode();
  const name = constantFrom(
    'Accept',
    'X-A',
    'x-b',
    'Mcp-Name',
    'Authorization',
    'Cookie',
    'X Y',
    'Ä',
    'x!#$%&',
    'Host',
  );
  const value = constantFrom(
    'a',
    ' a\t',
    '',
    'a, b',
    'a:b',
    '=?base64?YQ==?=',
    'é',
    'a\tb',
    '"q"',
    'a\u0001',
    'x'.repeat(300),
  );
  const line = record({
    name,
    colon: constantFrom(':', ': ', ' :', ':\t'),
    value,
    end: constantFrom('\r\n', '\n'),
  });
  const request = record({
    target: constantFrom('/mcp', '/mcp/s/a?mode=all', '/mcp/%20', '/mcp\u00e9', '/mcp#a', '/mcp a'),
    lines: array(line, { maxLength: 4 }),
    mostly: boolean(),
    body: string({ unit: 'grapheme-ascii', maxLength: 20 }),
  });
  let read = 0;
  await assert(
    asyncProperty(request, async ({ target, lines, mostly, body }) => {
      const text = lines.map(
        ({ name, colon, value, end }) => `${name}${colon}${value}${mostly ? '\r\n' : end}`,
      );
      const fixed = `Host: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
      const whole = `POST ${target} HTTP/1.1\r\n${fixed}${text.join('')}\r\n${body}`;
      const head = headOf(whole);
      if (!head) return;
      read += 1;
      const at = whole.indexOf('\r\n\r\n') + 4;
      expect(await node(whole)).toEqual({
        method: 'POST',
        url: head.url,
        headers: Object.fromEntries(head.headers),
        body: whole.slice(at, at + head.bodyBytes),
      });
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(30);
});
