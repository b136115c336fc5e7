import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { legacyHost, modern, send, startFront, type Sent } from '../../../test/contracts/http-host.ts';
import { toyGateway } from '../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../test/requirements.ts';

verifies(
  ['G1'],
  'a body that is no JSON-RPC in JSON is refused, and nothing reaches the gateway',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway, { bounds: { bodyBytesMax: 1024 * 1024 } });
    const whole = JSON.stringify(modern('echo').body);
    const type = { 'content-type': 'text/plain' };
    const wrong: [string, Sent, number, number][] = [
      ['half', { body: whole.slice(0, -5) }, 400, -32700],
      ['empty', { body: '' }, 400, -32700],
      ['not UTF-8', { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }, 400, -32700],
      ['a number', { body: '1' }, 400, -32600],
      ['a text', { body: '"echo"' }, 400, -32600],
      ['null', { body: 'null' }, 400, -32600],
      ['no version', { body: { id: 1, method: 'echo' } }, 400, -32600],
      ['id null', { body: { jsonrpc: '2.0', id: null, method: 'echo' } }, 400, -32600],
      ['id an object', { body: { jsonrpc: '2.0', id: {}, method: 'echo' } }, 400, -32600],
      ['params a list', { body: { jsonrpc: '2.0', id: 1, method: 'echo', params: [] } }, 400, -32600],
      ['method a number', { body: { jsonrpc: '2.0', id: 1, method: 1 } }, 400, -32600],
      ['an empty batch', { body: '[]' }, 400, -32000],
      ['plain text', { headers: type, body: whole }, 415, -32000],
      ['gzip', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(whole) }, 415, -32000],
      ['too large', { body: ' '.repeat(1024 * 1024 + 1) }, 413, -32000],
      [
        'too large, in pieces',
        { headers: { 'transfer-encoding': 'chunked' }, body: ' '.repeat(2e6) },
        413,
        -32000,
      ],
      ['too deep', { body: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }, 413, -32000],
    ];
    for (const [what, sent, status, code] of wrong) {
      const answer = await send(port, sent);
      expect([what, answer.status, answer.json.error?.code]).toEqual([what, status, code]);
    }
    expect(gateway.reached).toEqual([]);
    expect((await send(port, modern('echo'))).status).toBe(200);
    // As some hosts write that there are none.
    const host = await legacyHost(port);
    expect(
      (await send(port, host.saying({ jsonrpc: '2.0', id: 1, method: 'echo', params: null }))).status,
    ).toBe(200);
  },
);

verifies(['attack:G14'], 'keys that repeat or that mean something to JavaScript do no harm', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const { headers } = modern('echo');
  const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"wait","method":"echo","params":{"__proto__":{"evil":1},"constructor":{"prototype":{"evil":1}},${meta}}}`;
  const { status, json } = await send(port, { ...(headers ? { headers } : {}), body });
  expect(status).toBe(200);
  expect(gateway.reached.map(({ method }) => method)).toEqual(['echo']);
  expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
  expect(JSON.stringify(json.result)).toContain('"__proto__":{"evil":1}');
});

test('whoever is refused at the door gets the guard’s status, its headers and a JSON-RPC error', async () => {
  const gateway = toyGateway();
  const headers = { 'www-authenticate': 'Bearer realm="plugboard"' };
  const { port } = await startFront(gateway, {
    admit: () => ({ status: 401, message: 'This hub needs its token.', headers }),
  });
  for (const method of ['GET', 'POST', 'DELETE']) {
    const sent = method === 'POST' ? modern('echo') : { method };
    const answer = await send(port, sent);
    expect([method, answer.status, answer.headers['www-authenticate'], answer.json.error?.message]).toEqual([
      method,
      401,
      'Bearer realm="plugboard"',
      'This hub needs its token.',
    ]);
  }
  expect(gateway.reached).toEqual([]);
});

test('a host that goes away in the middle of its body leaves nothing behind', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  for (let at = 0; at < 20; at += 1) {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"jsonrpc"',
        () => resolve(),
      );
    });
    socket.destroy();
  }
  expect((await send(port, modern('echo'))).status).toBe(200);
  expect(gateway.reached).toHaveLength(1);
});

verifies(['G2'], 'batches are answered in the one revision that has them, and bounded', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway, { bounds: { batchMessagesMax: 4 } });
  const old = await legacyHost(port, { version: '2025-03-26' });
  const ask = (id: number, method = 'echo'): object => ({ jsonrpc: '2.0', id, method, params: { id } });
  const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
  const both = await send(port, old.saying([ask(1), note, ask(1, 'fail'), ask(2)]));
  const answers = JSON.parse(both.text) as { id: number; result?: object; error?: object }[];
  expect(both.status).toBe(200);
  expect(answers.map(({ id, result }) => [id, result !== undefined])).toEqual(
    expect.arrayContaining([
      [1, true],
      [1, false],
      [2, true],
    ]),
  );
  expect(gateway.notified).toHaveLength(1);
  expect(JSON.parse((await send(port, old.saying([ask(9)]))).text)).toMatchObject([{ id: 9 }]);
  expect((await send(port, old.saying([note]))).status).toBe(202);
  const streamed = await send(port, old.saying([ask(1), ask(2, 'progress'), ask(3)]));
  expect(streamed.headers['content-type']).toBe('text/event-stream');
  expect(streamed.text.match(/"result"/g)).toHaveLength(3);
  const reached = gateway.reached.length;
  expect((await send(port, old.saying([1, 2, 3, 4, 5].map((id) => ask(id))))).status).toBe(400);
  expect((await send(port, old.saying([ask(1), { no: 'message' }]))).status).toBe(400);
  const newer = await legacyHost(port, { version: '2025-06-18' });
  expect((await send(port, newer.saying([ask(1)]))).status).toBe(400);
  expect(gateway.reached).toHaveLength(reached);
});
