import type { Clock } from '../base/clock.ts';
import type { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Entry } from '../catalog/catalog.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { AuditRecord } from './audit-record.ts';
import { stateOfFailure, type CallState } from './display.ts';
import type { Grounds } from './permission.ts';
import type { KeptResult } from './results/results.ts';
import { weigh } from './results/weigh.ts';
import type { CallSpan, CallStep, CallTelemetry } from './telemetry/telemetry.ts';
import type { ToolCall, ToolCallResult } from './tool-call.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** Keeps the record; the call is not answered before it is safe. */
  readonly record: (record: AuditRecord) => Promise<void> | undefined;
  readonly telemetry?: CallTelemetry | undefined;
  /** Whether anybody looks on: only then is there something to tell. */
  readonly isWatched: () => boolean;
  readonly onDisplay: (server: PooledServer, moment: Moment) => void;
}

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
  readonly entry: Entry;
}

export interface Ended extends KeptResult {
  readonly isError: boolean;
  readonly allowedBy: string;
  readonly hint?: NonNullable<ToolCallResult['hint']>;
}

/** Follows each call from its beginning to its one ending, and writes down what came of it. */
export class CallRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  begin(begun: Begun): RunningCall {
    return new RunningCall(begun, this.#options);
  }
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
  #retries = 0;

  constructor(begun: Begun, options: RecorderOptions) {
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

  /** The call may be answered when this has returned, or when the promise resolves that it returned. */
  end({ result, handle, isError }: Ended, durationMs: number): Promise<void> | undefined {
    const outcome = isError ? 'tool_error' : 'ok';
    if (handle) {
      const { id: resultId, bytes: resultBytes } = handle;
      return this.#record({ durationMs, outcome, resultBytes, resultId });
    }
    const { textBytes, mediaBytes } = weigh(result, ENOUGH);
    return this.#record({ durationMs, outcome, resultBytes: textBytes + mediaBytes });
  }

  /** It was recorded, and is answered. */
  ended({ isError }: Ended, durationMs: number): void {
    this.#show(isError ? 'failed' : 'completed', durationMs);
  }

  async fail({ code, owner, message }: PlugError): Promise<void> {
    const { durationMs } = this;
    const state = stateOfFailure({ code });
    const outcome = OUTCOMES[state];
    await this.#record({ durationMs, outcome, error: { code, owner, message } });
    this.#show(state, durationMs);
  }

  /** So far, to the microsecond: further digits mean nothing, and cost more to write than to measure. */
  get durationMs(): number {
    return Math.round((this.#options.clock.monotonic() - this.#started) * 1000) / 1000;
  }

  #record(
    ending: Pick<AuditRecord, 'durationMs' | 'outcome' | 'error' | 'resultBytes' | 'resultId'>,
  ): Promise<void> | undefined {
    const { record } = this.#options;
    const { call, server, entry } = this.#begun;
    const { decision, approval } = this.#grounds ?? {};
    this.#span?.end({
      outcome: ending.outcome,
      decidedBy: decision?.by.kind,
      effect: decision?.effect,
      error: ending.error?.code,
      resultBytes: ending.resultBytes,
      retries: this.#retries,
    });
    if (!decision) return undefined;
    const { principal, requester, accountName: account } = call;
    const { name: tool, risk } = entry.tool;
    const { callId } = this;
    const made: AuditRecord = {
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
      ...ending,
    };
    const usual = account === undefined && !approval && this.#retries === 0;
    return record(usual ? made : { ...made, ...this.#unusual(account, approval) });
  }

  #unusual(account: string | undefined, approval: Grounds['approval']): Partial<AuditRecord> {
    return {
      ...(account === undefined ? {} : { account }),
      ...(approval ? { approval } : {}),
      ...(this.#retries > 0 ? { retries: this.#retries } : {}),
    };
  }

  #show(state: CallState, durationMs?: number): void {
    if (!this.#options.isWatched()) return;
    const { server, entry } = this.#begun;
    const timed = durationMs === undefined ? {} : { durationMs };
    this.#options.onDisplay(server, { callId: this.callId, tool: entry.tool.name, state, ...timed });
  }
}

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
