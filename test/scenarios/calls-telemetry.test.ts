import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { played, reading, writing } from './calls-played.ts';
import { withHub } from './lifecycle-hub.ts';

const LONG_MS = 40_000;

/** As much of OTLP in JSON as these tests look at. */
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Otlp {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** A real collector; every body that it got is kept as text. */
async function collector(): Promise<{ readonly url: string; readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

function attribute({ attributes }: Span, name: string): unknown {
  const found = attributes.find(({ key }) => key === name);
  return found && Object.values(found.value)[0];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

verifies(
  ['H4'],
  'with a collector named, real calls reach it as traces and metrics, and the trace of the caller goes on',
  async () => {
    const { url, bodies } = await collector();
    const notes = played(
      'notes',
      reading(),
      writing('create_note', { result: { content: [], isError: true } }),
    );
    const meta = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x/own': 'kept' };
    await withHub({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await hub.tools.call({ tool: 'notes/get_note', args: { text: 'private words' }, meta });
      await hub.tools.call({ tool: 'notes/create_note' });
    });
    const received = bodies.map((body) => JSON.parse(body) as Otlp); // what an OTLP exporter sends
    const spans = received.flatMap(({ resourceSpans = [] }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    const calls = spans.filter((span) => attribute(span, 'plug.outcome') !== undefined);
    expect(
      calls.map((span) => [attribute(span, 'gen_ai.tool.name'), attribute(span, 'plug.outcome')]),
    ).toEqual([
      ['get_note', 'ok'],
      ['create_note', 'tool_error'],
    ]);
    const [continued, own] = calls;
    expect(continued).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(own?.traceId).not.toBe(TRACE);
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === continued?.spanId);
    expect(steps.length).toBeGreaterThanOrEqual(2);
    // The server is told of our own span, in the same trace.
    const sent = notes.calls()[0]?.meta;
    expect(sent).toMatchObject({ 'x/own': 'kept' });
    expect(sent?.['traceparent']).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    const metrics = received.flatMap(({ resourceMetrics = [] }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
    );
    expect(metrics.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['plug.calls', 'mcp.client.operation.duration', 'plug.approvals.waiting']),
    );
    expect(bodies.join('')).not.toContain('private words');
  },
  LONG_MS,
);

verifies(
  ['H4'],
  'without a collector a hub that makes calls loads no telemetry SDK and passes the trace of the caller on',
  async () => {
    const folder = temporaryFolder();
    const notes = played('notes', reading());
    const source = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { openHub } = await import(${source('../../src/hub/open-hub.ts')});
      const folder = ${JSON.stringify(folder)};
      const hub = await openHub({
        paths: { config: folder, data: folder, state: folder }, cwd: folder, env: {}, version: '1',
        storage: { kind: 'memory' }, approve: async () => ({ effect: 'allow' }),
      });
      await hub.servers.add({ definition: ${JSON.stringify(notes.definition)} });
      await hub.tools.call({ tool: 'notes/get_note', meta: { traceparent: 'of the caller' } });
      await hub.close();
      console.log(loaded.filter((url) => url.includes('opentelemetry')).length, loaded.length > 100);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const said = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
    await ended;
    expect(said.trim()).toBe('0 true');
    expect(notes.calls()[0]?.meta).toMatchObject({ traceparent: 'of the caller' });
  },
  LONG_MS,
);
