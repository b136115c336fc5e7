import type { Broadcast } from '../base/broadcast.ts';
import type { Clock } from '../base/clock.ts';
import { assert, type ErrorCode, type PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { wasRefused, type OpenCall } from './audit/open-calls.ts';
import type { AuditRecord, BegunRecord, Grounds, RecordEnding } from './audit-record.ts';
import type { KeptResult } from './results/results.ts';
import { weigh } from './results/weigh.ts';
import type { CallSpan, CallStep, CallTelemetry } from './telemetry/telemetry.ts';
import type { ToolCall, ToolCallResult } from './tool-call.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** Where records are kept. No call is made before its beginning is safe, or answered before its end is. */
  readonly audit: Pick<AuditLog, 'enter' | 'left' | 'begin' | 'end' | 'record'>;
  readonly telemetry?: CallTelemetry | undefined;
  readonly events: Pick<Broadcast<CallEvent>, 'isWanted' | 'send'>;
}

/** Tells those who watch how far a call is. */
export interface CallEvent {
  readonly kind: 'call';
  /** By its key. */
  readonly server: string;
  readonly call: Moment;
}

type CallState = 'using' | 'waiting' | 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'refused';

/** What is told of a call while it runs. */
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

/** Follows a call from its beginning to its one ending, and writes down what came of it. */
export class RunningCall {
  readonly callId: string;
  readonly #begun: Begun;
  readonly #options: RecorderOptions;
  readonly #at: number;
  readonly #started: number;
  readonly #span: CallSpan | undefined;
  #grounds: Grounds | undefined;
  #args: JsonObject;
  #retries = 0;
  /** What was written before the server heard of the call. */
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

  /** A part of the call that may take its time. */
  step<T>(name: CallStep, work: () => T | Promise<T>): T | Promise<T> {
    return this.#span ? this.#span.step(name, async () => work()) : work();
  }

  /** The same call, which carries the trace on to its server. */
  traced(call: ToolCall): ToolCall {
    return this.#span ? { ...call, meta: this.#span.meta } : call;
  }

  /** A person has been asked. */
  waits(): void {
    this.#show('waiting');
  }

  /** `args` are those that run: a person may have edited them. */
  decided(grounds: Grounds, args: JsonObject | undefined): void {
    this.#grounds = grounds;
    if (grounds.approval && args) this.#show('using');
    if (args) this.#args = args;
  }

  retried(): void {
    this.#retries += 1;
  }

  /**
   * Before the server hears of it. The call may be made when this has returned undefined, or when the
   * promise resolves. A call that is sent once more has begun already.
   */
  begin(): Promise<void> | undefined {
    if (this.#open) return this.#open.written;
    const record = this.#beginning();
    assert(record, 'what was not decided on is not called');
    this.#record = record;
    this.#open = this.#options.audit.begin(record);
    return this.#open.written;
  }

  /** The call may be answered when this has returned, or when the promise resolves that it returned. */
  end({ result, handle, isError }: Ended, durationMs: number): Promise<void> | undefined {
    const outcome = isError ? 'tool_error' : 'ok';
    if (handle) {
      const { id: resultId, bytes: resultBytes } = handle;
      return this.#end({ durationMs, outcome, resultBytes, resultId });
    }
    const { textBytes, mediaBytes } = weigh(result, ENOUGH);
    return this.#end({ durationMs, outcome, resultBytes: textBytes + mediaBytes });
  }

  /** It was recorded, and is answered. */
  ended({ isError }: Ended, durationMs: number): void {
    this.#options.audit.left();
    this.#show(isError ? 'failed' : 'completed', durationMs);
  }

  async fail({ code, owner, message }: PlugError): Promise<void> {
    const { durationMs } = this;
    const state = stateOfFailure(code);
    const outcome = OUTCOMES[state];
    try {
      // Where the end could not be recorded, it is not told twice.
      if (!this.#isRecorded) await this.#end({ durationMs, outcome, error: { code, owner, message } });
    } finally {
      this.#options.audit.left();
      this.#show(state, durationMs);
    }
  }

  /** So far, to the microsecond: further digits mean nothing, and cost more to write than to measure. */
  get durationMs(): number {
    return Math.round((this.#options.clock.monotonic() - this.#started) * 1000) / 1000;
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
    const whole = this.#retries === 0 ? ending : { ...ending, retries: this.#retries };
    if (this.#open && this.#record) {
      return wasRefused(this.#open) ? undefined : audit.end(this.#open, this.#record, whole);
    }
    const never = this.#beginning();
    return never && audit.record({ ...never, ...whole });
  }

  /** Undefined as long as nothing was decided. */
  #beginning(): BegunRecord | undefined {
    const { call, server, entry } = this.#begun;
    if (!this.#grounds) return undefined;
    const { decision, approval } = this.#grounds;
    const { principal, requester } = call;
    const account = call.as?.shown;
    const { name: tool, risk } = entry.tool;
    const { callId } = this;
    const made: BegunRecord = {
      callId,
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

/** Stands for all of them: whether anybody watches depends on nothing but the kind. */
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

/** The state in which a call that failed has ended. */
function stateOfFailure(code: ErrorCode): CallState {
  if (code === 'call_timeout' || code === 'start_timeout') return 'timed_out';
  if (code === 'cancelled') return 'cancelled';
  return code === 'denied' || code === 'approval_required' ? 'refused' : 'failed';
}

const OUTCOMES: Readonly<Record<CallState, AuditRecord['outcome']>> = {
  using: 'failed',
  waiting: 'failed',
  completed: 'ok',
  failed: 'failed',
  timed_out: 'timed_out',
  cancelled: 'cancelled',
  refused: 'refused',
};

/** Sizes are for people: what is larger than this is just huge. */
const ENOUGH = 1_000_000_000;
