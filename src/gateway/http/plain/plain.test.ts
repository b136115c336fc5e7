import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { modern, startFront } from '../../../../test/contracts/http-host.ts';
import { toyGateway } from '../../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../../test/requirements.ts';
import { waitFor } from '../../../../test/servers/start.ts';

/** A connection of one's own, to the byte. */
class Wire {
  readonly socket: Socket;
  said = '';
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      .setEncoding('utf8')
      .setNoDelay(true);
    this.socket.on('data', (chunk: string) => (this.said += chunk)).on('error', () => undefined);
    this.socket.on('end', () => this.socket.end());
    this.closed = once(this.socket, 'close');
    onTestFinished(() => void this.socket.destroy());
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** The ids that were answered with a result, in their order. */
  get answered(): readonly number[] {
    return [...this.said.matchAll(/"id":(\d+),"result"/g)].map(([, id]) => Number(id));
  }

  async answers(...ids: readonly number[]): Promise<void> {
    await waitFor(() => this.answered.length >= ids.length);
    expect(this.answered).toEqual(ids);
  }
}

function asked(method: string, id: number, params: Record<string, unknown> = {}, more = ''): string {
  const { headers = {}, body } = modern(method, params, { id });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const text = JSON.stringify(body);
  const fixed =
    'host: x\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n';
  const length = Buffer.byteLength(text);
  return `POST /mcp HTTP/1.1\r\n${fixed}${lines.join('')}${more}content-length: ${length}\r\n\r\n${text}`;
}

verifies(['G1'], 'one connection serves call after call, and answers what each one asked', async () => {
  const { port } = await startFront(toyGateway());
  const wire = new Wire(port);
  for (let id = 1; id <= 50; id += 1) {
    wire.write(asked('echo', id, { text: 'ä€😀'.repeat(id) }));
    await waitFor(() => wire.answered.length === id);
  }
  expect(wire.answered).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(wire.said).toContain('ä€😀'.repeat(50));
  expect(wire.said.match(/HTTP\/1.1 200 OK\r\n/g)).toHaveLength(50);
  expect(wire.said.match(/\r\ndate: [^\r]* GMT\r\n/g)).toHaveLength(50);
});

verifies(['G1'], 'however a host cuts its requests into pieces, they are answered', async () => {
  const { port } = await startFront(toyGateway());
  const first = asked('echo', 1);
  for (const at of [1, 5, 20, first.indexOf('\r\n\r\n') + 2, first.length - 1]) {
    const wire = new Wire(port);
    wire.write(first.slice(0, at));
    await new Promise((later) => setImmediate(later));
    wire.write(first.slice(at));
    await wire.answers(1);
    wire.write(asked('echo', 2));
    await wire.answers(1, 2);
  }
});

verifies(['G1'], 'requests that come before their turn are answered in order', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const wire = new Wire(port);
  wire.write([1, 2, 3, 4].map((id) => asked('echo', id)).join(''));
  await wire.answers(1, 2, 3, 4);
  const late = new Wire(port);
  late.write(asked('progress', 1, { token: 'a' }));
  late.write(asked('echo', 2) + asked('echo', 3).slice(0, 40));
  late.write(asked('echo', 3).slice(40));
  await late.answers(1, 2, 3);
  expect(gateway.reached.map(({ method }) => method)).toEqual([
    'echo',
    'echo',
    'echo',
    'echo',
    'progress',
    'echo',
    'echo',
  ]);
});

test('what is no call of ours goes on to the listener behind, on the same connection too', async () => {
  const { port } = await startFront(toyGateway());
  const wire = new Wire(port);
  wire.write(asked('echo', 1));
  await wire.answers(1);
  wire.write('GET /elsewhere HTTP/1.1\r\nhost: x\r\n\r\n');
  await waitFor(() => wire.said.includes('HTTP/1.1 418'));
  wire.write(asked('echo', 2));
  await wire.answers(1, 2);
  const other = new Wire(port);
  other.write(asked('echo', 1).replace('/mcp ', '/mcp-elsewhere '));
  await waitFor(() => other.said.includes('HTTP/1.1 418'));
});

test('an answer that is said bit by bit comes whole, and the connection goes on', async () => {
  const { port } = await startFront(toyGateway());
  const wire = new Wire(port);
  wire.write(asked('progress', 1, { token: 'é' }));
  await wire.answers(1);
  await waitFor(() => wire.said.endsWith('0\r\n\r\n'));
  const [head = '', body = ''] = wire.said.split('\r\n\r\n', 2);
  expect(head).toContain('transfer-encoding: chunked');
  // Each chunk has as many bytes as it says.
  const [size = '', data = ''] = body.split('\r\n', 2);
  expect(Buffer.byteLength(data)).toBe(Number.parseInt(size, 16));
  wire.write(asked('echo', 2));
  await wire.answers(1, 2);
});

verifies(['G2'], 'a host that goes away, or says that it will send no more, cancels its call', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const [gone, done] = [new Wire(port), new Wire(port)];
  gone.write(asked('wait', 1));
  done.write(asked('wait', 2));
  await waitFor(() => gateway.reached.length === 2);
  gone.socket.destroy();
  done.socket.end();
  await waitFor(() => gateway.aborted.length === 2);
  expect(gateway.aborted).toEqual(['Error: the host has gone', 'Error: the host has gone']);
  await done.closed;
});

test('a connection that is to be closed is closed after its answer', async () => {
  const { port } = await startFront(toyGateway());
  const wire = new Wire(port);
  wire.write(asked('echo', 1, {}, 'connection: close\r\n'));
  await once(wire.socket, 'end');
  expect(wire.answered).toEqual([1]);
  expect(wire.said).toContain('\r\nconnection: close\r\n');
  const refused = new Wire(port);
  refused.write(asked('echo', 1).replace('application/json\r\n', 'text/plain\r\n'));
  await once(refused.socket, 'end');
  expect(refused.said).toMatch(/^HTTP\/1.1 415 /);
});

verifies(
  ['G1'],
  'a host that asks on and on and never reads is let go of; one that reads late is answered',
  async () => {
    const gateway = toyGateway({ large: () => ({ text: 'x'.repeat(4 * 1024 * 1024) }) });
    const { port } = await startFront(gateway, { bounds: { pipelinedMax: 3 } });
    const [late, never] = [new Wire(port), new Wire(port)];
    for (const { socket } of [late, never]) socket.pause();
    late.write(asked('large', 1));
    await waitFor(() => gateway.reached.length === 1);
    late.write(asked('large', 2));
    for (let id = 1; id <= 20 && !never.socket.errored; id += 1) {
      never.write(asked('large', id));
      await new Promise((later) => setTimeout(later, 20));
    }
    expect(gateway.reached.length).toBeLessThan(10);
    late.socket.resume();
    await waitFor(() => late.answered.length === 2);
    never.socket.resume();
    await never.closed;
  },
);

verifies(
  ['G1'],
  'a connection on which nothing happens ends; one with an answer under way does not',
  async () => {
    let now = 0;
    const sweeps: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      monotonic: () => now,
      every: (_ms, run) => {
        sweeps.push(run);
        return () => undefined;
      },
    };
    const gateway = toyGateway({ large: () => ({ text: 'x'.repeat(8 * 1024 * 1024) }) });
    const { port } = await startFront(gateway, { clock });
    const [silent, used, waiting, unread] = [new Wire(port), new Wire(port), new Wire(port), new Wire(port)];
    used.write(asked('echo', 1));
    waiting.write(asked('wait', 1));
    unread.socket.pause();
    unread.write(asked('large', 1));
    await used.answers(1);
    await waitFor(() => gateway.reached.length === 3);
    now += 6_000;
    for (const sweep of sweeps) sweep();
    await Promise.all([silent.closed, used.closed]);
    unread.socket.resume();
    await waitFor(() => unread.said.length > 8 * 1024 * 1024);
    await unread.answers(1);
    expect([waiting.socket.destroyed, gateway.aborted]).toEqual([false, []]);
  },
);
