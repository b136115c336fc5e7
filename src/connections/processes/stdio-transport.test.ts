import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { waitFor } from '../../../test/servers/start.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { ignore } from '../../base/errors.ts';
import { limits as allLimits, type Limits } from '../../base/limits.ts';
import { TOO_LARGE_CODE } from '../frame-depth.ts';
import { StdioTransport } from './stdio-transport.ts';
import { startProcess } from './supervise.ts';

interface Opened {
  readonly transport: StdioTransport;
  readonly messages: unknown[];
  readonly errors: Error[];
  readonly closes: number[];
}

/** Opens a transport to a small program given as its text. */
async function open(program: string, changed: Partial<Limits> = {}): Promise<Opened> {
  const limits: Limits = { ...allLimits, ...changed };
  const options = {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    clock: systemClock,
    ids: systemIds,
    limits,
  };
  const server = await startProcess({ command: process.execPath, args: ['-e', program], ...options });
  const opened: Opened = {
    transport: new StdioTransport({ server, clock: systemClock, limits }),
    messages: [],
    errors: [],
    closes: [],
  };
  Object.assign(opened.transport, {
    onmessage: (message: unknown) => opened.messages.push(message),
    onerror: (error: Error) => opened.errors.push(error),
    onclose: () => opened.closes.push(1),
  });
  onTestFinished(() => opened.transport.close());
  await opened.transport.start();
  return opened;
}

/** Answers each request with its own method, id and parameters. */
const ECHO = `
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      process.stdout.write(JSON.stringify({ result: { method, params }, jsonrpc: '2.0', id }) + '\\n');
    }
  });`;

const request = (id: number, params?: { [key: string]: unknown }) =>
  ({ jsonrpc: '2.0', id, method: 'echo', ...(params ? { params } : {}) }) as const;

verifies(
  ['C1'],
  'messages go to a local server and come back as they are, unknown fields included',
  async () => {
    const { transport, messages, closes } = await open(ECHO);
    await Promise.all([1, 2, 3].map((id) => transport.send(request(id, { text: 'ä語😀\n', extra: { id } }))));
    await waitFor(() => messages.length === 3);
    expect(messages).toEqual(
      [1, 2, 3].map((id) => ({
        jsonrpc: '2.0',
        id,
        result: { method: 'echo', params: { text: 'ä語😀\n', extra: { id } } },
      })),
    );
    await transport.close();
    await transport.close();
    expect(closes).toHaveLength(1);
    expect(transport.exit).toEqual({ code: 0, signal: null });
    await expect(transport.send(request(4))).rejects.toMatchObject({ code: 'crashed' });
  },
);

verifies(
  ['attack:D5'],
  'what is no MCP message is counted and kept for the reader, and disturbs nothing',
  async () => {
    const { transport, messages, errors } = await open(`
    process.stdout.write('Server running…\\n\\n{"not":"json-rpc"}\\n{broken\\r\\n');
    process.stdout.write(Buffer.from([0, 255, 254, 128, 27, 91, 51, 49, 109, 10]));
    process.stdout.write('{"id":1,"level":"info"}\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse\\\\u001b[31m error"}}\\n');
    process.stdout.write('[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","method":"n"}]\\r\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":3,"result":{},"extra":true}');`);
    await waitFor(() => transport.exit);
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', method: 'n' },
      { jsonrpc: '2.0', id: 3, result: {}, extra: true },
    ]);
    expect(transport.noise.count).toBe(5);
    expect(transport.noise.lines.slice(0, 3)).toEqual(['Server running…', '{"not":"json-rpc"}', '{broken']);
    expect(errors.map((error) => error.message)).toEqual([
      'The server could not read a message: Parse error',
    ]);
  },
);

test('an answer that is wrong in itself is passed on, so that its caller hears of it; a byte order mark is left out', async () => {
  const { transport, messages } = await open(`
    process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":2}\\n{"id":3,"result":{}}\\n');
    process.stdout.write('\\uFEFF{"jsonrpc":"2.0","id":4,"result":{}}\\n');`);
  await waitFor(() => transport.exit);
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'both' } },
    { jsonrpc: '2.0', id: 2 },
    { id: 3, result: {} },
    { jsonrpc: '2.0', id: 4, result: {} },
  ]);
  expect(transport.noise.count).toBe(0);
});

test('an answer that is nested too deeply fails its call alone; what else is too deep is thrown away', async () => {
  const { transport, messages, errors } = await open(`
    const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels);
    process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"a":' + deep(100000) + '}}\\n');
    process.stdout.write('{"jsonrpc":"2.0","method":"n","params":{"a":' + deep(5000) + '}}\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":9,"method":"q","params":{"a":' + deep(5000) + '}}\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":2,"result":{"a":"' + '['.repeat(5000) + '"}}\\n');
    process.stdout.write('{"jsonrpc":"2.0","id":3,"result":' + '{"a":[],"b":'.repeat(400) + '1' + '}'.repeat(400) + '}\\n');`);
  await waitFor(() => transport.exit);
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(messages[0]).toMatchObject({
    error: { code: TOO_LARGE_CODE, message: expect.stringContaining('nested') },
  });
  expect(errors).toHaveLength(2);
});

verifies(['C8'], 'a crash tells its exit code and last stderr lines, and closes exactly once', async () => {
  const { transport, closes } = await open(
    `for (let i = 1; i <= 30; i++) console.error('line ' + i); process.exitCode = 3;`,
  );
  await waitFor(() => closes.length > 0);
  expect(transport.exit).toEqual({ code: 3, signal: null });
  expect(transport.stderr.lines(20)).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index + 11}`));
  await transport.close();
  expect(closes).toHaveLength(1);
});

test('an answer of 64 MB arrives whole', async () => {
  const { transport, messages } = await open(`
    process.stdin.once('data', () => process.stdout.write(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(64 * 1024 * 1024) } }) + '\\n'));`);
  await transport.send(request(1));
  await waitFor(() => messages.length === 1, 20_000);
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(64 * 1024 * 1024) } }]);
});

verifies(
  ['attack:E17'],
  'an answer over the limit fails its own call only, wherever the server writes the id',
  async () => {
    const { transport, messages, errors } = await open(
      `const big = 'x'.repeat(5000);
     const write = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
     write({ jsonrpc: '2.0', id: 1, result: { ok: true } });
     write({ jsonrpc: '2.0', id: 'first', result: { big, id: 9 } });
     write({ result: { id: 9, big, also: { id: 9 } }, jsonrpc: '2.0', id: 3 });
     write({ jsonrpc: '2.0', method: 'notifications/message', params: { big, id: 9 } });
     write({ jsonrpc: '2.0', id: 4, result: { ok: true } });`,
      { messageBytesMax: 1_000, lineEdgeBytes: 200 },
    );
    await waitFor(() => transport.exit);
    const tooLarge = expect.objectContaining({
      code: TOO_LARGE_CODE,
      data: expect.objectContaining({ code: 'too_large' }),
    });
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { ok: true } },
      { jsonrpc: '2.0', id: 'first', error: tooLarge },
      { jsonrpc: '2.0', id: 3, error: tooLarge },
      { jsonrpc: '2.0', id: 4, result: { ok: true } },
    ]);
    expect(errors).toEqual([expect.objectContaining({ code: 'too_large' })]);
  },
);

verifies(
  ['attack:D5'],
  'a server that writes a gigabyte without a newline is cut off; its neighbour goes on',
  async () => {
    const neighbour = await open(ECHO);
    const flood = await open(
      `const chunk = Buffer.alloc(1024 * 1024, 'x'); let left = 1024;
     const more = () => { while (left-- > 0) if (!process.stdout.write(chunk)) return void process.stdout.once('drain', more); };
     more(); setInterval(() => {}, 1000);`,
      { messageBytesMax: 16 * 1024 * 1024, lineDiscardBytesMax: 64 * 1024 * 1024 },
    );
    await waitFor(() => flood.closes.length > 0, 10_000);
    expect(flood.errors).toEqual([expect.objectContaining({ code: 'protocol_error', owner: 'server' })]);
    await neighbour.transport.send(request(1));
    await waitFor(() => neighbour.messages.length === 1);
    expect(neighbour.closes).toEqual([]);
  },
  20_000,
);

verifies(
  ['attack:D11'],
  'a flood of stderr is kept to its ring, and the hub’s memory does not grow with it',
  async () => {
    const { transport, messages } = await open(`${ECHO}
    const lines = Buffer.from(('e'.repeat(1023) + '\\n').repeat(256)); let left = 800;
    const more = () => { while (left-- > 0) if (!process.stderr.write(lines)) return void process.stderr.once('drain', more); };
    more();`);
    await waitFor(() => transport.stderr.bytesTotal > 30_000_000, 10_000);
    const before = process.memoryUsage().rss;
    await waitFor(() => transport.stderr.bytesTotal > 200_000_000, 20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(transport.stderr.bytesKept).toBe(allLimits.stderrRingBytes);
    await transport.send(request(1));
    await waitFor(() => messages.length === 1);
  },
  40_000,
);

test('a server that reads slowly gets everything in order', async () => {
  const { transport, messages } = await open(
    `process.stdin.pause(); setTimeout(() => process.stdin.resume(), 300); ${ECHO}`,
  );
  const text = 'y'.repeat(100_000);
  await Promise.all(Array.from({ length: 100 }, (_, id) => transport.send(request(id, { text }))));
  await waitFor(() => messages.length === 100, 10_000);
  expect(messages.map((message) => (message as { id: number }).id)).toEqual(
    Array.from({ length: 100 }, (_, id) => id),
  );
});

test('when a server dies without reading, every waiting send is rejected', async () => {
  const { transport, closes } = await open(
    'setTimeout(() => process.exit(1), 300); setInterval(() => {}, 1000);',
  );
  const text = 'y'.repeat(1_000_000);
  const sends: Promise<void>[] = [];
  for (let id = 0; id < 20; id += 1) {
    const sent = transport.send(request(id, { text }));
    ignore(sent, 'the server may die before all of them are sent; they are looked at below');
    sends.push(sent);
    await systemClock.sleep(1);
  }
  const settled = await Promise.allSettled(sends);
  expect(settled.filter((one) => one.status === 'rejected').length).toBeGreaterThanOrEqual(18);
  await waitFor(() => closes.length === 1);
});

test('a server that hangs and never answers is stopped all the same', async () => {
  const { transport, closes } = await open('setInterval(() => {}, 1000)');
  await transport.send(request(1));
  await transport.close();
  expect(closes).toHaveLength(1);
  expect(transport.exit).toEqual({ code: null, signal: 'SIGTERM' });
});
