import type { Cancel, Clock } from '../base/clock.ts';
import { ignore, PlugError, toPlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { httpStatusOf } from './failures.ts';
import type { Manifest } from './manifest.ts';
import type { OpenSession, OpenedSession } from './open-session.ts';
import { Recovery } from './recovery.ts';
import { Refresher } from './refresher.ts';
import type { Session, SessionEvents } from './session.ts';
import type { EventActor, EventKind, ServerState } from './state.ts';
import { stateOfError } from './state-of-error.ts';
import { raceSignal, startTimeout } from './wait.ts';

/** What a connection tells the pool. */
export interface ConnectionEvents {
  onState(state: ServerState, event?: { kind: EventKind; by: EventActor; reason: string }): void;
  /** Called after the manifest was stored. */
  onManifest(manifest: Manifest): Promise<void>;
  onResourceUpdate(uri: string): void;
  onLog(entry: { readonly level: string; readonly logger?: string; readonly data: Json }): void;
  onHostWanted(): void;
}

export interface ConnectionOptions {
  /** For error texts: the name that the user knows. */
  readonly server: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly startTimeoutMs: number;
  /** Opens and reads the manifest; the signal ends it, whatever it is doing. */
  readonly open: OpenSession;
  readonly readManifest: (opened: OpenedSession, signal: AbortSignal) => Promise<Manifest>;
  readonly events: ConnectionEvents;
}

interface Live {
  readonly opened: OpenedSession;
  readonly since: number;
}

/**
 * One live session and its whole life: started on first use, restarted after a crash, rebuilt
 * when the server forgets it, stopped when told. The state is a value with a reason.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #recovery: Recovery;
  readonly #refresher: Refresher;
  #state: ServerState = { kind: 'asleep', reason: 'Not started yet; it starts on first use.' };
  #live: Live | undefined;
  #starting: Promise<Live> | undefined;
  #abortStart: AbortController | undefined;
  #cancelRestart: Cancel | undefined;
  #stopping: Promise<void> | undefined;
  #everLive = false;
  #active = 0;
  #lastUsed: number;
  #subscriptions = new Set<string>();
  #logLevel: string | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#recovery = new Recovery(options);
    this.#lastUsed = options.clock.monotonic();
    this.#refresher = new Refresher({ ...options, refresh: () => this.#refresh() });
  }

  get state(): ServerState {
    return this.#state;
  }

  get live(): OpenedSession | undefined {
    return this.#live?.opened;
  }

  /** Has a process or a session, or is about to have one. */
  get occupied(): boolean {
    return this.#live !== undefined || this.#starting !== undefined;
  }

  get busy(): boolean {
    return this.#active > 0 || this.#subscriptions.size > 0;
  }

  get idleMs(): number {
    return this.busy ? 0 : this.#options.clock.monotonic() - this.#lastUsed;
  }

  /** Runs one request on the live session, starting it first if need be. */
  async use<T>(run: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#active += 1;
    try {
      const live = this.#live ?? (await this.#ensure('SYSTEM', signal));
      try {
        const result = await run(live.opened.session);
        if (this.#state.kind === 'degraded') this.#recovered();
        return result;
      } catch (error) {
        if (!this.#sessionForgotten(live, error)) throw this.#noticed(live, error);
        const fresh = await this.#rebuild(live, signal);
        return await run(fresh.opened.session);
      }
    } finally {
      this.#active -= 1;
      this.#lastUsed = this.#options.clock.monotonic();
    }
  }

  /** Starts if it is not live. A person's wish also closes an open breaker. */
  async start(by: EventActor, signal?: AbortSignal): Promise<void> {
    if (by === 'USER') this.#recovery.forgive();
    this.#lastUsed = this.#options.clock.monotonic();
    await this.#ensure(by, signal);
  }

  /** Ends the session and, for a local server, its whole process tree. */
  async stop(reason: string, by: EventActor): Promise<void> {
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
    this.#refresher.stop();
    this.#abortStart?.abort(
      new PlugError('unavailable', reason, { owner: 'you', server: this.#options.server }),
    );
    const live = this.#live;
    this.#live = undefined;
    this.#subscriptions.clear();
    if (live) {
      const closing = live.opened.close();
      this.#stopping = closing;
      this.#set({ kind: 'asleep', reason }, { kind: 'DISCONNECTED', by, reason });
      try {
        await closing;
      } finally {
        if (this.#stopping === closing) this.#stopping = undefined;
      }
    }
    if (this.#starting) await Promise.allSettled([this.#starting]);
    if (!this.#live && this.#state.kind !== 'asleep') this.#set({ kind: 'asleep', reason });
  }

  /** A new session: nothing of the old one is kept, failures are forgiven. */
  async restart(by: EventActor, signal?: AbortSignal): Promise<void> {
    await this.stop('Restarting.', by);
    await this.start(by, signal);
  }

  /** Asks a live server whether it is still there; a dead one is rebuilt. */
  async checkHealth(): Promise<void> {
    const live = this.#live;
    const { clock, limits, server } = this.#options;
    if (!live || this.#state.kind === 'starting') return;
    if (clock.monotonic() - live.opened.session.lastHeard < limits.healthCheckMs / 2) return;
    try {
      await live.opened.session.checkHealth(limits.healthTimeoutMs);
      if (this.#live === live && this.#state.kind === 'degraded') this.#recovered();
    } catch (error) {
      if (this.#live !== live) return;
      // A server that is busy with our own call may be too busy to answer: never kill it for that.
      const answered = toPlugError(error).code === 'server_error';
      if (answered) return;
      if (this.#state.kind !== 'degraded' || this.busy) {
        const reason = `${server} did not answer the health check.`;
        this.#set({ kind: 'degraded', since: clock.now(), reason }, { kind: 'ERROR', by: 'SYSTEM', reason });
        return;
      }
      ignore(this.#rebuild(live), 'a failed rebuild is already the state');
    }
  }

  async subscribe(uri: string, timeoutMs: number): Promise<void> {
    await this.use((session) => session.subscribe(uri, timeoutMs));
    this.#subscriptions.add(uri);
  }

  async unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (!this.#subscriptions.delete(uri) || !this.#live) return;
    await this.use((session) => session.unsubscribe(uri, timeoutMs));
  }

  async setLogLevel(level: string, timeoutMs: number): Promise<void> {
    this.#logLevel = level;
    await this.use((session) => session.setLogLevel(level, timeoutMs));
  }

  async #ensure(by: EventActor, signal?: AbortSignal): Promise<Live> {
    if (this.#live) return this.#live;
    if (this.#stopping) await Promise.allSettled([this.#stopping]);
    const refusedMs = this.#recovery.refusedMs;
    if (refusedMs > 0 && !this.#starting) throw this.#refusal(refusedMs);
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
    this.#starting ??= this.#begin(by).finally(() => {
      this.#starting = undefined;
      this.#abortStart = undefined;
    });
    return raceSignal(this.#starting, signal, this.#options.server);
  }

  async #begin(by: EventActor): Promise<Live> {
    const { clock, startTimeoutMs, server } = this.#options;
    const abort = new AbortController();
    this.#abortStart = abort;
    const attempt = this.#recovery.restarts + 1;
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    this.#set({ kind: 'starting', attempt, reason: `Starting${again}.` });
    const cancelTimer = clock.after(startTimeoutMs, () => abort.abort(startTimeout(server, startTimeoutMs)));
    let opened: OpenedSession | undefined;
    try {
      const events = this.#sessionEvents(() => opened);
      opened = await this.#options.open({ events, signal: abort.signal });
      const manifest = await this.#options.readManifest(opened, abort.signal);
      if (abort.signal.aborted) throw abort.signal.reason;
      if (opened.session.ended) throw opened.endError();
      await this.#options.events.onManifest(manifest);
      return this.#become(opened, by);
    } catch (error) {
      if (opened) await opened.close();
      const failure = toPlugError(abort.signal.aborted ? abort.signal.reason : error);
      this.#startFailed(failure);
      throw failure;
    } finally {
      cancelTimer();
    }
  }

  #become(opened: OpenedSession, by: EventActor): Live {
    const { clock, server } = this.#options;
    const live = { opened, since: clock.monotonic() };
    this.#live = live;
    this.#recovery.worked();
    const kind = this.#everLive && this.#recovery.restarts > 0 ? 'RECONNECTED' : 'CONNECTED';
    this.#everLive = true;
    const { era, protocolVersion } = opened.session.agreement;
    const reason = `Connected to ${server} (MCP ${protocolVersion}, ${era}).`;
    this.#set({ kind: 'ready', since: clock.now(), reason }, { kind, by, reason });
    opened.session.listen();
    this.#restoreWishes(opened.session);
    return live;
  }

  /** Subscriptions and the log level belong to the session: a new one has to be told again. */
  #restoreWishes(session: Session): void {
    const timeoutMs = this.#options.limits.healthTimeoutMs;
    for (const uri of this.#subscriptions) {
      ignore(session.subscribe(uri, timeoutMs), 'a server that cannot subscribe any more has no updates');
    }
    if (this.#logLevel) ignore(session.setLogLevel(this.#logLevel, timeoutMs), 'logging is a courtesy');
  }

  #sessionEvents(opened: () => OpenedSession | undefined): SessionEvents {
    const { events } = this.#options;
    const current = (): boolean => this.#live !== undefined && this.#live.opened === opened();
    return {
      onListChange: () => {
        if (current()) this.#refresher.notice();
      },
      onResourceUpdate: (uri) => events.onResourceUpdate(uri),
      onLog: (entry) => events.onLog(entry),
      onHostWanted: () => events.onHostWanted(),
      onEnd: (error) => {
        const live = this.#live;
        if (live && current()) this.#lost(live, error);
      },
    };
  }

  /** The session ended although nobody asked for it: restart, at most a few times. */
  #lost(live: Live, error: PlugError): void {
    const { clock } = this.#options;
    this.#live = undefined;
    ignore(live.opened.close(), 'what is left of a dead session is cleaned up as far as possible');
    const wait = this.#recovery.nextRestart(clock.monotonic() - live.since);
    if (wait === undefined) return this.#giveUp(error);
    this.#scheduleRestart(wait, error);
  }

  #scheduleRestart(waitMs: number, error: PlugError): void {
    const { clock, limits } = this.#options;
    const attempt = this.#recovery.restarts;
    const seconds = Math.round(waitMs / 100) / 10;
    const reason = `${error.message} Restarting in ${seconds} s (${attempt} of ${limits.restartAttemptsMax}).`;
    this.#set({ kind: 'starting', attempt, reason }, { kind: 'ERROR', by: 'SYSTEM', reason: error.message });
    this.#cancelRestart = clock.after(waitMs, () => {
      this.#cancelRestart = undefined;
      ignore(this.#ensure('SYSTEM'), 'a failed restart is already the state');
    });
  }

  #startFailed(error: PlugError): void {
    if (error.code === 'unavailable') return this.#set({ kind: 'asleep', reason: error.message });
    this.#recovery.failed();
    const restarting = this.#recovery.restarts > 0;
    const wait = restarting && worthRetrying(error) ? this.#recovery.nextRestart(0) : undefined;
    if (wait !== undefined) this.#scheduleRestart(wait, error);
    else this.#giveUp(error);
  }

  #giveUp(error: PlugError): void {
    const refused = this.#recovery.refusedMs;
    const retryAt = refused > 0 ? this.#options.clock.now() + refused : undefined;
    const kind = error.code === 'sign_in_needed' ? 'TOKEN_EXPIRED' : 'ERROR';
    this.#set(stateOfError(error, retryAt), { kind, by: 'SYSTEM', reason: error.message });
  }

  /** HTTP 404 on a session means that the server forgot it (spec 2025-11-25, session management). */
  #sessionForgotten(live: Live, error: unknown): boolean {
    const { session } = live.opened;
    return session.transport === 'streamable-http' && !session.modern && httpStatusOf(error) === 404;
  }

  async #rebuild(live: Live, signal?: AbortSignal): Promise<Live> {
    if (this.#live === live) {
      this.#live = undefined;
      this.#recovery.nextRestart(this.#options.clock.monotonic() - live.since);
      const reason = 'The session was lost; connecting anew.';
      this.#set({ kind: 'starting', attempt: 1, reason }, { kind: 'DISCONNECTED', by: 'SYSTEM', reason });
      await live.opened.close();
    }
    return this.#ensure('SYSTEM', signal);
  }

  /** Some failures of a request say something about the server itself. */
  #noticed(live: Live, thrown: unknown): PlugError {
    const error = toPlugError(thrown);
    if (this.#live !== live) return error;
    if (error.code === 'sign_in_needed') {
      this.#set(stateOfError(error), { kind: 'TOKEN_EXPIRED', by: 'SYSTEM', reason: error.message });
    } else if (error.code === 'unreachable' || error.code === 'rate_limited') {
      const degraded: ServerState = {
        kind: 'degraded',
        since: this.#options.clock.now(),
        reason: error.message,
        ...(error.next ? { next: error.next } : {}),
      };
      this.#set(degraded, { kind: 'ERROR', by: 'SYSTEM', reason: error.message });
    }
    return error;
  }

  #recovered(): void {
    const reason = `${this.#options.server} answers again.`;
    const state = { kind: 'ready', since: this.#options.clock.now(), reason } as const;
    this.#set(state, { kind: 'RECONNECTED', by: 'SYSTEM', reason });
  }

  async #refresh(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    try {
      const signal = AbortSignal.timeout(this.#options.startTimeoutMs);
      const manifest = await this.#options.readManifest(live.opened, signal);
      if (this.#live === live) await this.#options.events.onManifest(manifest);
    } catch (error) {
      this.#options.logger.warn('the manifest could not be refreshed', {
        server: this.#options.server,
        error: toPlugError(error).message,
      });
    }
  }

  #refusal(refusedMs: number): PlugError {
    const { server } = this.#options;
    const seconds = Math.ceil(refusedMs / 1000);
    const last = this.#state.reason;
    return new PlugError(
      'unavailable',
      `${server} failed too often; next try in ${seconds} s. Last: ${last}`,
      {
        owner: 'server',
        server,
        next: `plug restart ${server}`,
      },
    );
  }

  #set(state: ServerState, event?: { kind: EventKind; by: EventActor; reason: string }): void {
    this.#state = state;
    this.#options.events.onState(state, event);
  }
}

/** Faults of the definition do not go away by trying again. */
function worthRetrying(error: PlugError): boolean {
  return error.owner === 'server' || error.owner === 'network';
}
