import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Meter, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type {
  TelemetrySettings,
  CallEnding,
  CallSpan,
  CallStep,
  CallTelemetry,
  TelemetryOptions,
  TracedCall,
} from './telemetry.ts';
import type { JsonObject } from '../../base/json.ts';

/** Loaded only when switched on. Nothing global: a program using the library keeps its own telemetry. */
export function startSdk(settings: TelemetrySettings, options: TelemetryOptions): CallTelemetry {
  const providers = openProviders(settings, options);
  const { tracer, meter } = providers;
  const instruments = instrumentsOf(meter);
  let closing: Promise<void> | undefined;
  return {
    start: (call) => new TracedSpan(call, tracer, instruments),
    approvalsWaiting: (change) => instruments.approvals.add(change),
    close: () => (closing ??= within(providers.shutdown(), options)),
  };
}

interface Providers {
  readonly tracer: Tracer;
  readonly meter: Meter;
  shutdown(): Promise<unknown>;
}

function openProviders(settings: TelemetrySettings, { limits, serviceVersion }: TelemetryOptions): Providers {
  const resource = resourceFromAttributes({
    ...settings.attributes,
    'service.name': settings.serviceName,
    'service.version': serviceVersion,
  });
  const { headers, tracesUrl, metricsUrl } = settings;
  const traces = new TracerProvider({
    resource,
    spanProcessors: tracesUrl === undefined ? [] : [batched(tracesUrl, { ...headers }, limits)],
  });
  const metrics = new MeterProvider({
    resource,
    readers: metricsUrl === undefined ? [] : [periodic(metricsUrl, { ...headers }, limits)],
  });
  return {
    tracer: traces.getTracer('plugboard', serviceVersion),
    meter: metrics.getMeter('plugboard', serviceVersion),
    shutdown: () => Promise.all([traces.shutdown(), metrics.shutdown()]),
  };
}

/** Spans are dropped beyond a bounded queue: a call never waits for a collector. */
function batched(url: string, headers: Record<string, string>, limits: Limits): BatchSpanProcessor {
  const timeoutMillis = limits.telemetryExportMs;
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url, headers, timeoutMillis }),
    maxQueueSize: limits.telemetryQueueMax,
    maxExportBatchSize: Math.min(limits.telemetryQueueMax, 512),
    exportTimeoutMillis: timeoutMillis,
  });
}

function periodic(
  url: string,
  headers: Record<string, string>,
  limits: Limits,
): PeriodicExportingMetricReader {
  const timeoutMillis = limits.telemetryExportMs;
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, headers, timeoutMillis }),
    exportIntervalMillis: limits.telemetryMetricsMs,
    exportTimeoutMillis: timeoutMillis,
  });
}

class TracedSpan implements CallSpan {
  readonly meta: CallSpan['meta'];
  readonly #call: TracedCall;
  readonly #span: Span;
  readonly #context: Context;
  readonly #tracer: Tracer;
  readonly #instruments: Instruments;
  readonly #started = systemClock.monotonic();

  constructor(call: TracedCall, tracer: Tracer, instruments: Instruments) {
    const parent = parentIn(call.meta);
    const around = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    this.#call = call;
    this.#tracer = tracer;
    this.#instruments = instruments;
    this.#span = tracer.startSpan(
      `tools/call ${call.server}/${call.tool}`,
      { kind: SpanKind.CLIENT, attributes: startAttributes(call) },
      around,
    );
    this.#context = trace.setSpan(around, this.#span);
    this.meta = withParent(call.meta, this.#span.spanContext());
  }

  async step<T>(name: CallStep, work: () => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan(name, {}, this.#context);
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  end(ending: CallEnding): void {
    const attributes = endAttributes(ending);
    this.#span.setAttributes(attributes);
    if (ending.outcome !== 'ok')
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message: ending.outcome });
    this.#span.end();
    const seconds = (systemClock.monotonic() - this.#started) / 1000;
    this.#instruments.record(this.#call, ending, seconds);
  }
}

async function within(work: Promise<unknown>, { limits, logger }: TelemetryOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = systemClock.after(limits.telemetryFlushMs, resolve);
  const done = work.then(
    () => undefined,
    (error: unknown) => logger.warn('the last telemetry was not sent', { error: messageOf(error) }),
  );
  await Promise.race([done, promise]);
  cancel();
}

/** From `_meta.traceparent` (W3C Trace Context; MCP conventions). */
export function parentIn(meta: JsonObject | undefined): SpanContext | undefined {
  const value = meta?.['traceparent'];
  const found = typeof value === 'string' ? TRACEPARENT.exec(value) : null;
  const [, version = '', traceId = '', spanId = '', flags = ''] = found ?? [];
  if (!found || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function withParent(meta: JsonObject | undefined, own: SpanContext): JsonObject {
  const flags = (own.traceFlags & 0xff).toString(16).padStart(2, '0');
  return { ...meta, traceparent: `00-${own.traceId}-${own.spanId}-${flags}` };
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[^\s]{0,200})?$/;

export interface Instruments {
  readonly approvals: ReturnType<Meter['createUpDownCounter']>;
  record(call: TracedCall, ending: CallEnding, seconds: number): void;
}

function instrumentsOf(meter: Meter): Instruments {
  const duration = meter.createHistogram('mcp.client.operation.duration', {
    description: 'How long calls of tools take, approvals included.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const calls = meter.createCounter('plug.calls', { description: 'Calls by their outcome.', unit: '{call}' });
  const approvals = meter.createUpDownCounter('plug.approvals.waiting', {
    description: 'Calls that wait for a person.',
    unit: '{call}',
  });
  return {
    approvals,
    record: (call, ending, seconds) => {
      const type = errorTypeOf(ending);
      const named = { 'plug.server': call.server, 'gen_ai.tool.name': call.tool };
      duration.record(seconds, {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        ...named,
        ...(type === undefined ? {} : { 'error.type': type }),
      });
      calls.add(1, { ...named, 'plug.outcome': ending.outcome, 'plug.risk': call.risk });
    },
  };
}

/** Seconds, as the MCP conventions advise. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** OpenTelemetry's names for MCP and model tools where they exist; ours start with `plug.`. */
function startAttributes(call: TracedCall): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.call.id': call.callId,
    'plug.server': call.server,
    'plug.risk': call.risk,
    'plug.arguments.bytes': call.argsBytes,
  };
}

function endAttributes(ending: CallEnding): Attributes {
  const type = errorTypeOf(ending);
  return {
    'plug.outcome': ending.outcome,
    ...(type === undefined ? {} : { 'error.type': type }),
    ...(ending.effect === undefined ? {} : { 'plug.decision': ending.effect }),
    ...(ending.decidedBy === undefined ? {} : { 'plug.decided_by': ending.decidedBy }),
    ...(ending.resultBytes === undefined ? {} : { 'plug.result.bytes': ending.resultBytes }),
    ...(ending.retries === undefined ? {} : { 'plug.retries': ending.retries }),
  };
}

/** The convention for a result with isError is `tool_error`. */
function errorTypeOf({ outcome, error }: CallEnding): string | undefined {
  return outcome === 'ok' ? undefined : (error ?? outcome);
}
