import type { SpanContext } from '@opentelemetry/api';
import type { JsonObject } from '../../base/json.ts';

/** The caller's place in its trace, from `_meta.traceparent` (W3C Trace Context; MCP conventions). */
export function parentIn(meta: JsonObject | undefined): SpanContext | undefined {
  const value = meta?.['traceparent'];
  const found = typeof value === 'string' ? TRACEPARENT.exec(value) : null;
  const [, version = '', traceId = '', spanId = '', flags = ''] = found ?? [];
  if (!found || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** The same `_meta` with our span as the parent; whatever else it holds passes through. */
export function withParent(meta: JsonObject | undefined, own: SpanContext): JsonObject {
  const flags = (own.traceFlags & 0xff).toString(16).padStart(2, '0');
  return { ...meta, traceparent: `00-${own.traceId}-${own.spanId}-${flags}` };
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[^\s]{0,200})?$/;
