import type { Clock } from '../base/clock.ts';
import type { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Entry } from '../catalog/catalog.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { Approval } from '../policy/approval.ts';
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
  readonly hint?: ToolCallResult['hint'];
}

type Answer = Omit<ToolCallResult, 'callId' | 'server' | 'tool'>;

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

  /** A part of the call that takes its time. */
  step<T>(name: CallStep, work: () => Promise<T>): Promise<T> {
    return this.#span ? this.#span.step(name, work) : work();
  }

  /** The same call, which carries the trace on to its server. */
  traced(call: ToolCall): ToolCall {
    return this.#span ? { ...call, meta: this.#span.meta } : call;
  }

  /** The same call, which tells when it begins to wait for a person. */
  watched(call: ToolCall): ToolCall {
    if (call.approval === 'refuse') return call;
    const onApproval = (approval: Approval): void => {
      this.#show('waiting');
      call.onApproval?.(approval);
    };
    return { ...call, onApproval };
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

  async end({ result, handle, isError, allowedBy, hint }: Ended): Promise<Answer> {
    const durationMs = this.#options.clock.monotonic() - this.#started;
    const { textBytes, mediaBytes } = weigh(result, ENOUGH);
    await this.#record({
      durationMs,
      outcome: isError ? 'tool_error' : 'ok',
      resultBytes: handle?.bytes ?? textBytes + mediaBytes,
      ...(handle ? { resultId: handle.id } : {}),
    });
    this.#show(isError ? 'failed' : 'completed', durationMs);
    return {
      durationMs,
      isError,
      result,
      ...(handle ? { handle } : {}),
      allowedBy,
      ...(hint ? { hint } : {}),
    };
  }

  async fail({ code, owner, message }: PlugError): Promise<void> {
    const durationMs = this.#options.clock.monotonic() - this.#started;
    const state = stateOfFailure({ code });
    const outcome = OUTCOMES[state];
    await this.#record({ durationMs, outcome, error: { code, owner, message } });
    this.#show(state, durationMs);
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
    return record({
      callId: this.callId,
      at: this.#at,
      principal: call.principal,
      requester: call.requester,
      server: server.definition.id,
      ...(call.accountName === undefined ? {} : { account: call.accountName }),
      tool: entry.tool.name,
      risk: entry.tool.risk,
      args: this.#args,
      effect: decision.effect,
      by: decision.by,
      ...(approval ? { approval } : {}),
      ...ending,
      argsBytes: weigh(this.#args, ENOUGH).textBytes,
      ...(this.#retries > 0 ? { retries: this.#retries } : {}),
    });
  }

  #show(state: CallState, durationMs?: number): void {
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
