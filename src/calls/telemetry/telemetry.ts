import type { ErrorCode } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { AuditRecord } from '../audit-record.ts';
import { readTelemetrySettings } from './settings.ts';

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
