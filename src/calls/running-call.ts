import type { Broadcast } from '../base/broadcast.ts';
import type { Clock } from '../base/clock.ts';
import { assert, type ErrorCode, type PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { wasRefused, type OpenCall } from './audit/waiting-records.ts';
import type { AuditRecord, BegunRecord, Grounds, RecordEnding } from './audit-record.ts';
import type { RecentResults } from './results/recent-results.ts';
import type { KeptResult } from './results/results.ts';
import { weigh } from './results/weigh.ts';
import type { CallSpan, CallStep, CallTelemetry } from './telemetry/telemetry.ts';
import type { ToolCall, ToolCallResult } from './tool-call.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** No call is made before its beginning is safe, or answered before its end is. */
  readonly audit: Pick<AuditLog, 'enter' | 'left' | 'begin' | 'end' | 'record'>;
  readonly recent: Pick<RecentResults, 'add'>;
  readonly telemetry?: CallTelemetry | undefined;
  readonly events: Pick<Broadcast<CallEvent>, 'isWanted' | 'send'>;
}

export interface CallEvent {
  readonly kind: 'call';
  /** Its key. */
  readonly server: string;
  readonly call: Moment;
}

type CallState = 'using' | 'waiting' | 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'refused';

export interface Moment {
  readonly callId: string;
  readonly tool: string;
  readonly state: CallState;
  readonly durationMs?: number;
}

export interface Begun {
  readonly callId: string;
  readonly call: ToolCall;
  readonly server: PooledServer;
  readonly entry: CatalogTool;
}

export interface Ended extends KeptResult {
  readonly isError: boolean;
  readonly allowedBy: string;
  readonly hint?: NonNullable<ToolCallResult['hint']>;
}

export class RunningCall {
  readonly callId: string;
  readonly #begun: Begun;
  readonly #options: RecorderOptions;
  readonly #at: number;
  readonly #started: number;
  readonly #span: CallSpan | undefined;
  #grounds: Grounds | undefined;
  #args: JsonObject;
  #waitedMs = 0;
  #waitsSince: number | undefined;
  #retries = 0;
  #record: BegunRecord | undefined;
  #open: OpenCall | undefined;
  #isRecorded = false;

  constructor(begun: Begun, options: RecorderOptions) {
    options.audit.enter();
    this.callId = begun.callId;
    this.#begun = begun;
    this.#options = options;
    this.#args = begun.call.args;
    this.#at = options.clock.now();
    this.#started = options.clock.monotonic();
    this.#span = options.telemetry && startSpan(options.telemetry, begun);
    this.#show('using');
  }

  step<T>(name: CallStep, work: () => T | Promise<T>): T | Promise<T> {
    return this.#span ? this.#span.step(name, async () => work()) : work();
  }

  traced(call: ToolCall): ToolCall {
    return this.#span ? { ...call, meta: this.#span.meta } : call;
  }

  waits(): void {
    this.#waitsSince = this.#options.clock.monotonic();
    this.#show('waiting');
  }

  /** The time that a person takes is not the call's. */
  answered(): void {
    this.#waitedMs = this.#waited();
    this.#waitsSince = undefined;
  }

  /** `args`: those that run, perhaps edited by a person. */
  decided(grounds: Grounds, args: JsonObject | undefined): void {
    this.#grounds = grounds;
    if (grounds.approval && args) this.#show('using');
    if (args) this.#args = args;
  }

  retried(): void {
    this.#retries += 1;
  }

  /** The call may be made once this returned undefined or its promise resolved. A retry has begun already. */
  begin(): Promise<void> | undefined {
    if (this.#open) return this.#open.written;
    const record = this.#beginning();
    assert(record, 'what was not decided on is not called');
    this.#record = record;
    this.#open = this.#options.audit.begin(record);
    return this.#open.written;
  }

  /** The call may be answered once this returned or its promise resolved. */
  end({ result, handle, isError }: Ended, durationMs: number): Promise<void> | undefined {
    const outcome = isError ? 'tool_error' : 'ok';
    if (handle) {
      const { id: resultId, bytes: resultBytes } = handle;
      return this.#end({ durationMs, outcome, resultBytes, resultId });
    }
    const { textBytes, mediaBytes } = weigh(result, ENOUGH);
    const bytes = textBytes + mediaBytes;
    const { callId } = this;
    this.#options.recent.add(this.#begun.server.definition.id, { callId, result, bytes });
    return this.#end({ durationMs, outcome, resultBytes: bytes });
  }

  ended({ isError }: Ended, durationMs: number): void {
    this.#options.audit.left();
    this.#show(isError ? 'failed' : 'completed', durationMs);
  }

  async fail({ code, owner, message }: PlugError): Promise<void> {
    const { durationMs } = this;
    const outcome = outcomeOfFailure(code);
    try {
      // An end that couldn't be recorded isn't recorded again.
      if (!this.#isRecorded) await this.#end({ durationMs, outcome, error: { code, owner, message } });
    } finally {
      this.#options.audit.left();
      this.#show(outcome, durationMs);
    }
  }

  /** Without the time that a person took. To the microsecond: more digits cost more to write than to measure. */
  get durationMs(): number {
    const whole = this.#options.clock.monotonic() - this.#started;
    return Math.round((whole - this.#waited()) * 1000) / 1000;
  }

  #waited(): number {
    if (this.#waitsSince === undefined) return this.#waitedMs;
    return this.#waitedMs + this.#options.clock.monotonic() - this.#waitsSince;
  }

  #end(ending: RecordEnding): Promise<void> | undefined {
    const { audit } = this.#options;
    const decision = this.#grounds?.decision;
    this.#isRecorded = true;
    this.#span?.end({
      outcome: ending.outcome,
      decidedBy: decision?.by.kind,
      effect: decision?.effect,
      error: ending.error?.code,
      resultBytes: ending.resultBytes,
      retries: this.#retries,
    });
    const waited = this.#waitedMs === 0 ? ending : { ...ending, waitedMs: Math.round(this.#waitedMs) };
    const whole = this.#retries === 0 ? waited : { ...waited, retries: this.#retries };
    if (this.#open && this.#record) {
      return wasRefused(this.#open) ? undefined : audit.end(this.#open, this.#record, whole);
    }
    const never = this.#beginning();
    return never && audit.record({ ...never, ...whole });
  }

  #beginning(): BegunRecord | undefined {
    const { call, server, entry } = this.#begun;
    if (!this.#grounds) return undefined;
    const { decision, approval } = this.#grounds;
    const { principal, requester } = call;
    const account = call.as?.shown;
    const { name: tool, risk } = entry.tool;
    const made: BegunRecord = {
      callId: this.callId,
      at: this.#at,
      principal,
      requester,
      server: server.definition.id,
      tool,
      risk,
      args: this.#args,
      effect: decision.effect,
      by: decision.by,
      argsBytes: weigh(this.#args, ENOUGH).textBytes,
    };
    if (account === undefined && !approval) return made;
    return { ...made, ...(account === undefined ? {} : { account }), ...(approval ? { approval } : {}) };
  }

  #show(state: CallState, durationMs?: number): void {
    const { events } = this.#options;
    if (!events.isWanted(ANY_CALL)) return;
    const { server, entry } = this.#begun;
    const timed = durationMs === undefined ? {} : { durationMs };
    const call = { callId: this.callId, tool: entry.tool.name, state, ...timed };
    events.send({ kind: 'call', server: server.key, call });
  }
}

/** For `isWanted`, which depends only on the kind. */
const ANY_CALL: CallEvent = { kind: 'call', server: '', call: { callId: '', tool: '', state: 'using' } };

function startSpan(telemetry: CallTelemetry, { callId, call, server, entry: { tool } }: Begun): CallSpan {
  return telemetry.start({
    callId,
    server: server.definition.id,
    tool: tool.name,
    risk: tool.risk,
    argsBytes: weigh(call.args, ENOUGH).textBytes,
    meta: call.meta,
  });
}

function outcomeOfFailure(code: ErrorCode): CallState & AuditRecord['outcome'] {
  if (code === 'call_timeout' || code === 'start_timeout') return 'timed_out';
  if (code === 'cancelled') return 'cancelled';
  return code === 'denied' || code === 'approval_required' ? 'refused' : 'failed';
}

/** Sizes are for people: anything larger is just huge. */
const ENOUGH = 1_000_000_000;
