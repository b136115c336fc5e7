import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limits, type Limits } from '../../base/limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { verifies } from '../../../test/requirements.ts';
import { readTelemetrySettings, openTelemetry, type CallTelemetry } from './telemetry.ts';
import { parentIn } from './sdk.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Otlp;
}

/** As much of OTLP as we look at (https://opentelemetry.io/docs/specs/otlp, JSON encoding). */
interface Otlp {
  readonly resourceSpans?: readonly {
    readonly resource: Attributed;
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

interface Attributed {
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
  }[];
}

interface OtlpSpan extends Attributed {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly (Attributed & { readonly asDouble: number })[] };
}

/** A real collector for OTLP over HTTP; what it got is kept as it came. */
async function collector(answer: 'ok' | 'never' = 'ok'): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Otlp; // what the exporter sends
      received.push({ path: request.url ?? '', headers: request.headers, body });
      if (answer === 'ok') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function open(env: Record<string, string>, more: Partial<Limits> = {}): Promise<CallTelemetry> {
  const telemetry = await openTelemetry({
    env,
    serviceVersion: '1.2.3',
    limits: { ...limits, ...more },
    logger: silentLogger,
  });
  if (!telemetry) throw new Error('telemetry is off');
  closers.push(() => telemetry.close());
  return telemetry;
}

const call = { callId: 'call_1', server: 'github', tool: 'search', risk: 'read', argsBytes: 42 } as const;

const attributesOf = (of: Attributed | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (of?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );

verifies(
  ['H4'],
  'with a collector named, every call is a span with its steps below it, and is counted',
  async () => {
    const { url, received } = await collector();
    const telemetry = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,other=1',
      OTEL_SERVICE_NAME: 'my-hub',
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const span = telemetry.start({ ...call, meta: { traceparent, other: 1 } });
    telemetry.approvalsWaiting(1);
    await span.step('approve', async () => telemetry.approvalsWaiting(-1));
    await expect(span.step('invoke', () => Promise.reject(new Error('secret words')))).rejects.toThrow();
    span.end({
      outcome: 'timed_out',
      error: 'call_timeout',
      decidedBy: 'grant',
      effect: 'allow',
      resultBytes: 7,
    });
    telemetry.start(call).end({ outcome: 'ok' });
    await telemetry.close();

    const traces = received.find(({ path }) => path === '/v1/traces');
    expect(traces?.headers).toMatchObject({ 'x-key': 'a b', other: '1' });
    const [resource] = traces?.body.resourceSpans ?? [];
    expect(attributesOf(resource?.resource)).toMatchObject({
      'service.name': 'my-hub',
      'service.version': '1.2.3',
    });
    const spans = resource?.scopeSpans[0]?.spans ?? [];
    expect(spans.map(({ name }) => name)).toEqual([
      'approve',
      'invoke',
      'tools/call github/search',
      'tools/call github/search',
    ]);
    const [approve, invoke, traced] = spans;
    expect(traced).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      kind: 3,
      status: { code: 2 },
    });
    expect([approve?.parentSpanId, invoke?.parentSpanId]).toEqual([traced?.spanId, traced?.spanId]);
    expect(span.meta).toEqual({ traceparent: `00-${traced?.traceId}-${traced?.spanId}-01`, other: 1 });
    expect(attributesOf(traced)).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.id': 'call_1',
      'plug.server': 'github',
      'plug.risk': 'read',
      'plug.arguments.bytes': 42,
      'plug.outcome': 'timed_out',
      'error.type': 'call_timeout',
      'plug.decision': 'allow',
      'plug.decided_by': 'grant',
      'plug.result.bytes': 7,
    });
    expect(JSON.stringify(received)).not.toContain('secret words');

    const measured = received.find(({ path }) => path === '/v1/metrics')?.body.resourceMetrics ?? [];
    const metrics = new Map(measured[0]?.scopeMetrics[0]?.metrics.map((metric) => [metric.name, metric]));
    expect(metrics.get('mcp.client.operation.duration')).toMatchObject({
      unit: 's',
      histogram: { dataPoints: [{}, {}] },
    });
    const points = metrics.get('plug.calls')?.sum?.dataPoints ?? [];
    expect(points.map((point) => [attributesOf(point)['plug.outcome'], point.asDouble])).toEqual([
      ['timed_out', 1],
      ['ok', 1],
    ]);
    expect(metrics.get('plug.approvals.waiting')?.sum?.dataPoints[0]?.asDouble).toBe(0);
  },
);

verifies(
  ['H4'],
  'a collector that is gone or never answers neither fails nor holds up calls or the end',
  async () => {
    const { url } = await collector('never');
    for (const endpoint of ['http://127.0.0.1:9', url]) {
      const telemetry = await open(
        { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
        { telemetryFlushMs: 200, telemetryQueueMax: 100 },
      );
      for (let index = 0; index < 1_000; index += 1) {
        const span = telemetry.start({ ...call, callId: `call_${index}` });
        expect(await span.step('invoke', () => Promise.resolve(index))).toBe(index);
        span.end({ outcome: 'ok' });
      }
      await telemetry.close();
      await telemetry.close();
    }
  },
);

test('without a collector nothing is traced', async () => {
  for (const env of [
    {},
    { OTEL_SERVICE_NAME: 'x' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
  ]) {
    const options = { env, serviceVersion: '1', limits, logger: silentLogger };
    expect(await openTelemetry(options)).toBeUndefined();
  }
});

test('the usual variables are understood, one signal can be left out, and a bad parent is ignored', () => {
  const read = (env: Record<string, string>) =>
    readTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example/otlp/', ...env }, silentLogger);
  expect(read({})).toEqual({
    tracesUrl: 'https://o.example/otlp/v1/traces',
    metricsUrl: 'https://o.example/otlp/v1/metrics',
    headers: {},
    serviceName: 'plugboard',
    attributes: {},
  });
  expect(read({ OTEL_TRACES_EXPORTER: 'none' })?.tracesUrl).toBeUndefined();
  expect(read({ OTEL_METRICS_EXPORTER: 'none' })?.metricsUrl).toBeUndefined();
  expect(read({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,team=b%2Cc' })).toMatchObject({
    serviceName: 'a',
    attributes: { team: 'b,c' },
  });
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(parentIn({ traceparent: good })).toMatchObject({ traceFlags: 1, isRemote: true });
  for (const bad of [
    1,
    '',
    'x',
    good.toUpperCase(),
    `ff${good.slice(2)}`,
    good.replace('b7ad6b7169203331', '0'.repeat(16)),
  ]) {
    expect(parentIn({ traceparent: bad })).toBeUndefined();
  }
});
