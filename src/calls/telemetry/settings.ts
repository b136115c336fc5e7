import type { Logger } from '../../base/logger.ts';

export interface TelemetrySettings {
  /** Absent when switched off. */
  readonly tracesUrl?: string;
  readonly metricsUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The standard variables (OTLP exporter specification). */
export function readTelemetrySettings(env: Env, logger: Logger): TelemetrySettings | undefined {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  if (!endpoint || env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const base = httpAddress(endpoint);
  if (!base) {
    logger.warn('telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is not an http address');
    return undefined;
  }
  const protocol = env['OTEL_EXPORTER_OTLP_PROTOCOL']?.trim();
  if (protocol && !protocol.startsWith('http/')) {
    logger.warn('telemetry is sent as JSON over HTTP, whatever OTEL_EXPORTER_OTLP_PROTOCOL says', {
      protocol,
    });
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
