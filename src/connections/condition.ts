import type { NextStep } from '../base/remedy.ts';
import { nextStep } from '../base/remedy-command.ts';
import { defined } from '../base/defined.ts';
import type { PlugError, ErrorCode } from '../base/errors.ts';
import { sentence } from '../base/sentence.ts';
import type { Logger } from '../base/logger.ts';
import { explainFailure } from './causes/explain.ts';
import type { CauseContext } from './causes/known-causes.ts';
import { neededFields, needsOf } from '../servers/plans/needs.ts';
import { httpStatusOf } from './failures.ts';
import type { Runtime } from './limits.ts';
import type { Manifest } from './manifest.ts';
import type { OpenSession, OpenedSession } from './open-session.ts';
import type { Session, SessionEvents } from './session.ts';
import type { EventActor, FailureCause, ServerEvent, ServerState } from './state.ts';
import { isObject } from '../base/json.ts';

/** A change of state that is worth keeping. */
export type Occurrence = Pick<ServerEvent, 'kind' | 'by' | 'reason'>;

/** What a connection tells the pool. */
export interface ConnectionEvents extends Pick<
  SessionEvents,
  'onResourceUpdate' | 'onTaskStatus' | 'onLog' | 'onHostWanted'
> {
  onState(state: ServerState, event?: Occurrence): void;
  /** Nothing uses it any more. */
  onIdle(): void;
  /** Resolves when the manifest is stored. */
  onManifest(manifest: Manifest): Promise<void>;
}

export interface ConnectionOptions extends Runtime {
  /** For error texts: the name that the user knows. */
  readonly server: string;
  /** Asked at each failure, as definitions change. */
  readonly causes: () => CauseContext;
  readonly logger: Logger;
  /** Asked at each start, as definitions change. */
  readonly startTimeoutMs: () => number;
  readonly open: OpenSession;
  readonly readManifest: (opened: OpenedSession, signal: AbortSignal) => Promise<Manifest>;
  readonly events: ConnectionEvents;
}

export interface ConditionOptions extends Pick<ConnectionOptions, 'server' | 'causes' | 'clock' | 'limits'> {
  readonly events: Pick<ConnectionOptions['events'], 'onState'>;
}

/** Puts the state of a connection into words and tells of every change. */
export class Condition {
  readonly #options: ConditionOptions;
  #state: ServerState = { kind: 'asleep', reason: 'Not started yet; it starts on first use.' };

  constructor(options: ConditionOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  is(kind: ServerState['kind']): boolean {
    return this.#state.kind === kind;
  }

  starts(attempt: number): void {
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    this.#set({ kind: 'starting', attempt, reason: `Starting${again}.` });
  }

  isReady(session: Session, { by, again }: { readonly by: EventActor; readonly again: boolean }): void {
    const { era, protocolVersion } = session.agreement;
    const reason = `Connected to ${this.#options.server} (MCP ${protocolVersion}, ${era}).`;
    this.#ready({ kind: again ? 'RECONNECTED' : 'CONNECTED', by, reason });
  }

  recovers(): void {
    this.#ready({ kind: 'RECONNECTED', by: 'SYSTEM', reason: `${this.#options.server} answers again.` });
  }

  /** With `by` a session ended; without, there was none. */
  sleeps(reason: string, by?: EventActor): void {
    this.#set({ kind: 'asleep', reason }, by && { kind: 'DISCONNECTED', by, reason });
  }

  waitsToRestart(error: PlugError, attempt: number, waitMs: number): void {
    const seconds = Math.round(waitMs / 100) / 10;
    const count = `${attempt} of ${this.#options.limits.restartAttemptsMax}`;
    const reason = `${sentence(error.message)} Restarting in ${seconds} s (${count}).`;
    const event = { kind: 'ERROR', by: 'SYSTEM', reason: error.message } as const;
    this.#set({ kind: 'starting', attempt, reason }, event);
  }

  isReplaced(): void {
    const reason = 'The session was lost. Reconnecting.';
    this.#set({ kind: 'starting', attempt: 1, reason }, { kind: 'DISCONNECTED', by: 'SYSTEM', reason });
  }

  fails(failure: PlugError, refusedMs: number): void {
    const error = explainFailure(failure, { ...this.#options.causes(), starting: true });
    const retryAt = refusedMs > 0 ? this.#options.clock.now() + refusedMs : undefined;
    const kind = error.code === 'sign_in_needed' ? 'TOKEN_EXPIRED' : 'ERROR';
    this.#set(stateOfError(error, retryAt), { kind, by: 'SYSTEM', reason: error.message });
  }

  /** Some failures of a request say something about the server itself. */
  notices(failure: PlugError): void {
    const error = explainFailure(failure, this.#options.causes());
    const { code, message: reason } = error;
    // HTTP 403 concerns what was asked for; 401 concerns who asks.
    if (code === 'sign_in_needed' && httpStatusOf(error) === 401) {
      const told = this.is('needs-sign-in');
      this.#set(stateOfError(error), told ? undefined : { kind: 'TOKEN_EXPIRED', by: 'SYSTEM', reason });
    } else if (code === 'unreachable' || code === 'rate_limited') {
      this.degrades({ reason, ...nextStep(error.remedy) });
    }
  }

  /** Says why a start, or a call that waits for its turn, takes so long. */
  isBusy(waitMs: number): void {
    const state = this.#state;
    const reason = `Rate limited. Retrying in ${Math.ceil(waitMs / 1_000)} s.`;
    if (state.kind === 'starting') this.#set({ ...state, reason });
    else if (state.kind === 'ready' || state.kind === 'degraded') this.degrades({ reason });
  }

  /** A start that goes no further before its user has signed in. */
  waitsForSignIn({ message: reason, remedy }: PlugError): void {
    const state = this.#state;
    if (state.kind === 'starting') this.#set({ ...state, reason, ...nextStep(remedy) });
  }

  /** A server that stays in trouble is one event, not one for each call. */
  degrades(because: NextStep & { readonly reason: string }): void {
    const told = this.is('degraded');
    const state = { kind: 'degraded', since: this.#options.clock.now(), ...because } as const;
    this.#set(state, told ? undefined : { kind: 'ERROR', by: 'SYSTEM', reason: because.reason });
  }

  #ready(event: Occurrence): void {
    this.#set({ kind: 'ready', since: this.#options.clock.now(), reason: event.reason }, event);
  }

  #set(state: ServerState, event?: Occurrence): void {
    this.#state = state;
    this.#options.events.onState(state, event);
  }
}

/** The state that a failed start leads to. */
export function stateOfError(error: PlugError, retryAt?: number): ServerState {
  const because = { reason: error.message, ...nextStep(error.remedy) };
  const asked = neededFields(needsOf(error.details));
  const needs = asked.length > 0 ? { needs: asked } : {};
  if (error.code === 'sign_in_needed') return { kind: 'needs-sign-in', ...because, ...needs };
  if (error.code === 'missing_input') return { kind: 'needs-input', missing: missingIn(error), ...because };
  const { exitCode, exitSignal, stderr, command } = error.details ?? {};
  const isMissing = error.code === 'missing_command' && typeof command === 'string';
  const ended = defined({
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    exitSignal: typeof exitSignal === 'string' ? exitSignal : undefined,
    stderr: Array.isArray(stderr) ? stderr.map(String) : undefined,
    retryAt,
    missingCommand: isMissing ? command : undefined,
  });
  // A failed start that none of the rows names broke a rule of the protocol.
  const { code, owner } = error;
  return { kind: 'failed', cause: CAUSES[code] ?? 'protocol', code, owner, ...because, ...needs, ...ended };
}

const CAUSES: Readonly<Partial<Record<ErrorCode, FailureCause>>> = {
  start_timeout: 'timeout',
  call_timeout: 'timeout',
  unreachable: 'refused',
  rate_limited: 'refused',
  unavailable: 'refused',
  bad_config: 'config',
  missing_command: 'config',
  usage: 'config',
  untrusted: 'config',
  crashed: 'crashed',
  start_failed: 'crashed',
};

function missingIn(error: PlugError): readonly string[] {
  const missing = error.details?.['missing'];
  if (!Array.isArray(missing)) return [];
  return missing.map((each: unknown) => (isObject(each) ? String(each['placeholder']) : String(each)));
}
