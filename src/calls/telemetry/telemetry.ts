import type { ErrorCode } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { AuditRecord } from '../audit-record.ts';

/** Arguments and results are never part of traces or metrics. */
export interface CallTelemetry {
  start(call: TracedCall): CallSpan;
  approvalsWaiting(change: 1 | -1): void;
  /** Sends the rest within a time limit. Idempotent. */
  close(): Promise<void>;
}

export interface TracedCall {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly argsBytes: number;
  /** The caller's own: its trace is continued. */
  readonly meta?: JsonObject | undefined;
}

export interface CallSpan {
  /** `_meta` for the server, with our place in the trace. */
  readonly meta: JsonObject;
  step<T>(name: CallStep, work: () => Promise<T>): Promise<T>;
  end(ending: CallEnding): void;
}

export type CallStep = 'approve' | 'connect' | 'invoke';

export interface CallEnding {
  readonly outcome: AuditRecord['outcome'];
  /** The kind of rule, never its text. */
  readonly decidedBy?: AuditRecord['by']['kind'] | undefined;
  readonly effect?: AuditRecord['effect'] | undefined;
  readonly error?: ErrorCode | undefined;
  readonly resultBytes?: number | undefined;
  readonly retries?: number | undefined;
}

export interface TelemetryOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly serviceVersion: string;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Undefined unless the environment names a collector; only then is the SDK loaded. */
export async function openTelemetry(options: TelemetryOptions): Promise<CallTelemetry | undefined> {
  const settings = readTelemetrySettings(options.env, options.logger);
  if (!settings) return undefined;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(settings, options);
}

export interface TelemetrySettings {
  readonly tracesUrl?: string;
  readonly metricsUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The standard variables (OTLP exporter specification). */
export function readTelemetrySettings(
  env: TelemetryOptions['env'],
  logger: Logger,
): TelemetrySettings | undefined {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  if (!endpoint || env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const base = httpAddress(endpoint);
  if (!base) {
    logger.warn('telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is not an http address');
    return undefined;
  }
  const protocol = env['OTEL_EXPORTER_OTLP_PROTOCOL']?.trim();
  if (protocol && !protocol.startsWith('http/')) {
    const note = 'telemetry is sent as JSON over HTTP, whatever OTEL_EXPORTER_OTLP_PROTOCOL says';
    logger.warn(note, { protocol });
  }
  const isOn = (signal: string): boolean => env[`OTEL_${signal}_EXPORTER`]?.trim().toLowerCase() !== 'none';
  const { 'service.name': named, ...attributes } = pairsIn(env['OTEL_RESOURCE_ATTRIBUTES']);
  return {
    ...(isOn('TRACES') ? { tracesUrl: `${base}/v1/traces` } : {}),
    ...(isOn('METRICS') ? { metricsUrl: `${base}/v1/metrics` } : {}),
    headers: pairsIn(env['OTEL_EXPORTER_OTLP_HEADERS']),
    serviceName: env['OTEL_SERVICE_NAME']?.trim() || named || 'plugboard',
    attributes,
  };
}

function httpAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `key=value,…`, percent-encoded, as in W3C baggage. */
function pairsIn(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, equals).trim();
    return equals > 0 && key !== '' ? [[key, decoded(pair.slice(equals + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // a percent sign of its own
  }
}
