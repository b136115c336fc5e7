import * as fc from 'fast-check';

/**
 * How many inputs each door and parser gets. A small share runs with every test; `npm run fuzz` asks for
 * all of them. The seed is fixed, so that what fails once fails again.
 */
export const RUNS: number = Number(process.env['PLUG_FUZZ_RUNS'] ?? 1_000);
const SEED: number = Number(process.env['PLUG_FUZZ_SEED'] ?? 20_261_117);

/** Inputs in batches, so that no more than one batch is in memory. */
export function* batchesOf<T>(arbitrary: fc.Arbitrary<T>, runs: number = RUNS): Generator<readonly T[]> {
  for (let made = 0; made < runs; made += BATCH) {
    yield fc.sample(arbitrary, { numRuns: Math.min(BATCH, runs - made), seed: SEED + made });
  }
}

const BATCH = 500;
/** More at once would only wait for each other. */
const AT_ONCE = 16;

/** Runs each input, a few at once. */
export async function throughAll<T>(
  arbitrary: fc.Arbitrary<T>,
  run: (input: T) => Promise<unknown>,
  runs: number = RUNS,
): Promise<void> {
  for (const batch of batchesOf(arbitrary, runs)) {
    const left = [...batch];
    const work = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await run(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

const odd = fc.string({ unit: 'binary', maxLength: 40 });

/** JSON as nobody would write it: odd keys, odd depths, odd numbers. */
export function jsonWith(keys: readonly string[], values: readonly unknown[]): fc.Arbitrary<unknown> {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...values),
      fc.constantFrom(null, true, false, 0, -1, 1e308, '', '__proto__', '\u0000', '\uFEFF', '\uD800'),
      odd,
      fc.double(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), odd), tie('value'), { maxKeys: 8 }),
    ),
  }));
  return value;
}

/** Bytes with some of them exchanged, left out or cut off. */
export function damaged(bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
  return fc.tuple(bytes, flips, fc.option(fc.nat(), { freq: 4 })).map(([given, changes, cut]) => {
    const copy = Buffer.from(given);
    for (const [at, byte] of changes) if (copy.length > 0) copy[at % copy.length] = byte;
    return cut === null || copy.length === 0 ? copy : copy.subarray(0, cut % copy.length);
  });
}

const PATHS = (
  '/ // /open /open?x /mcp /mcp?mode=all /mcp?mode=x /mcp/s/x /mcp/p/x /mcp/s/%ff /sse /messages /messages?sessionId=x ' +
  '/mcp/stream /mcp/stream?profile=x&server=y /health /v1/status /v1/servers /v1/tools /v1/events /v1/calls /v1/x ' +
  '/approve/x /approve/x?key=y /approve/%00 /app-frame /assets/x.js /assets/..%2f.. /favicon.svg /servers/x ' +
  '/callback /callback?state=x&code=y /callback?%zz * http://evil.test/ http:// //evil.test /% /%ff /..//..'
).split(' ');
const HEADERS = [
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Content-Type: application/x-www-form-urlencoded',
  'Accept: application/json, text/event-stream',
  'Accept: text/event-stream',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: plug-mcp',
  'Upgrade: websocket',
  'Transfer-Encoding: chunked',
  'Content-Length: 2',
  'Content-Length: 99999',
  'Content-Length: -1',
  'Expect: 100-continue',
  'Origin: null',
  'Origin: http://evil.test',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Mode: navigate',
  'Sec-Fetch-Dest: document',
  'Cookie: plug-page-1=x; plug-page-1=y',
  'X-Plug-Page: x',
  'X-Plug-Folder: %ff',
  'Mcp-Session-Id: x',
  'Mcp-Protocol-Version: 2026-07-28',
  'Mcp-Protocol-Version: 2025-11-25',
  'Mcp-Method: tools/call',
  'Mcp-Name: =?base64?x?=',
  'Last-Event-Id: 1',
];
const METHODS = 'GET GET POST POST POST PUT DELETE OPTIONS HEAD CONNECT TRACE PATCH PRI'.split(' ');

/** JSON-RPC, more or less. */
export const frames: fc.Arbitrary<unknown> = jsonWith(
  'jsonrpc id method params result error code message data name arguments _meta progressToken protocolVersion capabilities clientInfo requestId cursor uri'.split(
    ' ',
  ),
  [
    '2.0',
    1,
    'a',
    ...'initialize tools/list tools/call ping resources/read prompts/get server/discover subscriptions/listen notifications/cancelled notifications/initialized tasks/get completion/complete logging/setLevel'.split(
      ' ',
    ),
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 'x', method: 'initialize', params: { protocolVersion: '2025-03-26' } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ],
);

const bodies = fc.oneof(
  frames.map((frame) => JSON.stringify(frame) ?? ''),
  odd,
  fc.constantFrom(
    '',
    '{}',
    '[]',
    '{"token":"x"}',
    'key=x&decision=once&note=y',
    '['.repeat(3_000),
    '2\r\n{}\r\n0\r\n\r\n',
  ),
);

/** Requests, more or less; `own` are lines that let some of them in. */
export function requestsTo(host: string, own: readonly string[] = []): fc.Arbitrary<Buffer> {
  const headers = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...HEADERS, ...own) }, odd), {
    maxLength: 8,
  });
  const path = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PATHS) }, odd);
  const method = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...METHODS) }, odd);
  const line = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', '');
  const request = fc
    .record({ method, path, line, headers, body: bodies, known: fc.boolean(), counted: fc.boolean() })
    .map((given) => {
      const { known, counted, body } = given;
      const length = counted ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
      const lines = [
        `${given.method} ${given.path} ${given.line}`,
        `Host: ${host}`,
        ...(known ? own : []),
        ...length,
        ...given.headers,
      ];
      return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
    });
  return fc.oneof({ weight: 3, arbitrary: request }, { weight: 2, arbitrary: damaged(request) });
}
