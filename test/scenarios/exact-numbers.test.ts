import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { patience } from '../suite/patience.ts';
import { shareOf } from '../suite/share-of.ts';
import { WAIT_MS } from './gateway-wire-host.ts';
import { openWireHub, type WireHub } from './gateway-wire-hub.ts';
import { bin } from './plug-command.ts';
import { rawAnswer } from './raw-server.ts';

const TEST_MS = 120_000;
const RAW_SERVER = fileURLToPath(new URL('raw-server.ts', import.meta.url));
const VALUES = shareOf(10_000, 2_500);
const VALUES_PER_CALL = 250;

let hub: WireHub;
const http = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const texts = rawAnswer(body);
    const [text = ''] = texts;
    if (text === '') return void response.writeHead(202).end();
    const streams = texts.length > 1 || text.length % 2 === 0;
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    // In two parts, so that a number may be split.
    const events = texts.map((each) => `event: message\ndata: ${each}\n\n`).join('');
    const whole = Buffer.from(streams ? events : text);
    response.write(whole.subarray(0, whole.length / 2));
    return void setImmediate(() => response.end(whole.subarray(whole.length / 2)));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // it listens
  hub = await openWireHub({ web: `http://127.0.0.1:${port}/mcp` });
  await hub.json('add', 'raw', '--yes', '--', process.execPath, RAW_SERVER);
}, TEST_MS);
afterAll(async () => {
  await hub.close();
  http.close();
}, TEST_MS);

async function openHost(server: string): Promise<(id: string, value: string) => Promise<string>> {
  let session: string | null = null;
  const post = async (body: string): Promise<string> => {
    const response = await fetch(`${hub.url}/mcp/s/${server}`, {
      method: 'POST',
      headers: {
        authorization: hub.bearer,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      body,
    });
    session ??= response.headers.get('mcp-session-id');
    return response.text();
  };
  await post(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
  );
  await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return (id, value) =>
    post(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"n":9007199254740993,"value":${value},"end":"END"}}}`,
    );
}

const digits = fc.stringMatching(/^[1-9][0-9]{0,45}$/);
const number = fc.oneof(
  fc.constantFrom('9007199254740993', '1e400', '-0', '1.0', '1E5', '1e2', '-0.0', '1e-400', '0.10', '1e+2'),
  digits,
  fc.tuple(digits, fc.stringMatching(/^[0-9]{1,25}$/)).map(([whole, rest]) => `-${whole}.${rest}`),
  fc.tuple(digits, fc.integer({ min: -999, max: 999 })).map(([whole, power]) => `${whole}E${power}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', '__proto__', ':1.0,', '\\', '"', '[-0]', '\uD800', '\u2028'),
  )
  .filter((value) => !value.includes('END'))
  .map((value) => JSON.stringify(value));
// A key that looks like an index is moved to the front by every JavaScript object. Keys with escapes are
// left out: after an object with the key "\\", V8's parser reads other escaped keys in its place for it.
const key = text.filter((name) => !name.includes('\\') && !/^"\d+"$/.test(name));
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    number,
    text,
    fc.constantFrom<string>('true', 'false', 'null', '[]', '{}', `${'['.repeat(60)}-0${']'.repeat(60)}`),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((fields) => `{${fields.map((field) => field.join(':')).join(',')}}`),
  ),
}));

for (const server of ['raw', 'web']) {
  verifies(
    ['G1', 'G2', 'L2'],
    `every number, text and key passes through ${server === 'raw' ? 'a stdio' : 'an HTTP'} server in both directions as it was written`,
    async () => {
      const call = await openHost(server);
      let passed = 0;
      for (let made = 0; made < VALUES / 2; made += VALUES_PER_CALL) {
        const values = fc.sample(json, { numRuns: VALUES_PER_CALL, seed: 18 + made }).join(',');
        const id = `9007199254740${100 + made}`;
        const said = await call(id, `[${values}]`);
        expect(said).toContain(`"id":${id},`);
        expect(said).toContain(`"structuredContent":{"value":[${values}],"end":"END"}`);
        expect(said).toContain(`"_meta":{"of/it":[${values}]}`);
        passed += VALUES_PER_CALL;
      }
      console.info(`${passed} values passed through ${server} and back as they were written.`);
      const twice = await call('1.0', '{"a":1.0,"a":-0}');
      // Of a key that comes twice the last counts, as for the policy: the server gets what was decided on.
      expect(twice).toContain('"id":1.0,');
      expect(twice).toContain('"value":{"a":-0},');
    },
    TEST_MS,
  );
}

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';
const ODD = '[9007199254740993,1e400,-0,1.0,123456789012345678901234567890.10]';
const ODD_CALL = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"raw__echo","arguments":{"value":${ODD},"end":"END"},"_meta":{"progressToken":9007199254740995}}}`;

/** What a host must have heard: its id, its token and every number as it wrote them. */
function expectExact(heard: string): void {
  expect(heard).toContain('"id":9007199254740993,');
  expect(heard).toContain('"progressToken":9007199254740995');
  expect(heard).toContain('"progress":0.10');
  expect(heard).toContain(`"structuredContent":{"value":${ODD},"end":"END"}`);
}

verifies(
  ['G1', 'G2', 'L2'],
  'a stdio host gets its id, its progress token and every number back as it wrote them',
  async () => {
    const child = spawn(process.execPath, [bin, 'gateway', '--mode', 'all'], { cwd: hub.cwd, env: hub.env });
    let heard = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (heard += part));
    child.stdin.write(`${INITIALIZE}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n${ODD_CALL}\n`);
    await expect.poll(() => heard, { timeout: patience(WAIT_MS) }).toContain('"structuredContent"');
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    expectExact(heard);
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2', 'L2'],
  'a host over SSE gets its id, its progress token and every number back as it wrote them',
  async () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const headers = { authorization: hub.bearer, 'content-type': 'application/json' };
    const stream = await fetch(`${hub.url}/sse?mode=all`, { headers, signal: stop.signal });
    let heard = '';
    const reading = (async () => {
      for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += part;
    })().catch(() => undefined); // it is stopped below
    await expect.poll(() => heard, { timeout: patience(WAIT_MS) }).toMatch(/data: \/\S+\n/);
    const path = /data: (\/\S+)\n/.exec(heard)?.[1] ?? '';
    const post = (body: string): Promise<Response> =>
      fetch(hub.url + path, { method: 'POST', headers, body, signal: stop.signal });
    await post(INITIALIZE);
    await expect.poll(() => heard, { timeout: patience(WAIT_MS) }).toContain('"id":0,');
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await post(ODD_CALL);
    await expect.poll(() => heard, { timeout: patience(WAIT_MS) }).toContain('"structuredContent"');
    stop.abort();
    await reading;
    expectExact(heard);
  },
  TEST_MS,
);

verifies(
  ['L2', 'U3'],
  'plug call sends the numbers that were typed, and prints those that the server wrote',
  async () => {
    const run = async (...words: readonly string[]): Promise<string> => {
      const child = spawn(process.execPath, [bin, ...words], { cwd: hub.cwd, env: hub.env });
      child.stdin.end();
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
      await once(child, 'close');
      return said;
    };
    const compact = (text: string): string => text.replaceAll(/\s/g, '');
    for (const server of ['raw', 'web']) {
      const pairs = ['n=9007199254740993', `value:=${ODD}`, 'end=END'];
      const shown = await run('--json', 'call', `${server}/echo`, ...pairs);
      expect(compact(shown)).toContain(`"structuredContent":{"value":${ODD},"end":"END"}`);
      const given = await run('call', `${server}/echo`, '--args', `{"value":${ODD},"end":"END"}`);
      expect(compact(given)).toContain(`"value":${ODD}`);
    }
    const records = compact(await run('--json', 'audit', '--limit', '4'));
    expect(records).toContain('"n":9007199254740993');
  },
  TEST_MS,
);

verifies(
  ['G1', 'L2'],
  'a server may write the code of an error as -32000.0, over a pipe and over HTTP',
  async () => {
    const host = await hub.host('legacy', 'http');
    for (const server of ['raw', 'web']) {
      const failed = await host.call(`${server}__fail`).catch((error: unknown) => error);
      expect([server, failed]).toMatchObject([server, { code: -32000, message: 'no' }]);
    }
  },
  TEST_MS,
);
