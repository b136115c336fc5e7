import { timeoutSignal, type Cancel } from '../base/clock.ts';
import { ignore, type PlugError, toPlugError } from '../base/errors.ts';
import { Condition, type ConnectionOptions } from './condition.ts';
import { isOutage } from './failures.ts';
import {
  Endings,
  isForgotten,
  type Live,
  type Patience,
  raceSignal,
  refusedError,
  SignInWait,
  startSession,
  stoppedError,
} from './live.ts';
import type { OpenedSession } from './open-session.ts';
import { Recovery } from './recovery.ts';
import { Refresher } from './refresher.ts';
import type { Session, SessionEvents } from './session.ts';
import type { EventActor, ServerState } from './state.ts';

/** A server's session: started on first use, restarted after a crash, replaced when the server forgets it. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #recovery: Recovery;
  readonly #refresher: Refresher;
  readonly #endings: Endings;
  readonly #condition: Condition;
  /** The desired state, which outlives a session. */
  readonly #subscriptions = new Set<string>();
  #logLevel: string | undefined;
  #live: Live | undefined;
  #starting: Promise<Live> | undefined;
  #abortStart: AbortController | undefined;
  #signIn: SignInWait | undefined;
  #restarting: Promise<void> | undefined;
  #cancelRestart: Cancel | undefined;
  #closed: PlugError | undefined;
  #stops = 0;
  /** It was live and ended unasked, so it is to come back. */
  #broken = false;
  #outage = false;
  #checking = false;
  #active = 0;
  #lastUsed: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#recovery = new Recovery(options);
    this.#endings = new Endings(options);
    this.#condition = new Condition(options);
    this.#lastUsed = options.clock.monotonic();
    this.#refresher = new Refresher({ ...options, refresh: () => this.#readAgain() });
  }

  get state(): ServerState {
    return this.#condition.state;
  }

  get live(): OpenedSession | undefined {
    return this.#live?.opened;
  }

  /** Has a process or a session, or is about to. */
  get occupied(): boolean {
    return Boolean(this.#live ?? this.#starting ?? this.#cancelRestart);
  }

  get busy(): boolean {
    return this.#active > 0 || this.#subscriptions.size > 0;
  }

  get idleMs(): number {
    return this.busy ? 0 : this.#options.clock.monotonic() - this.#lastUsed;
  }

  use<T>(run: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const live = this.#live;
    return live ? this.#run(live, run, signal) : this.#startAndRun(run, signal);
  }

  /** A person's start also closes an open breaker. */
  async start(by: EventActor, signal?: AbortSignal, { patient = false }: Patience = {}): Promise<void> {
    if (by === 'USER') this.#recovery.forgive();
    this.#lastUsed = this.#options.clock.monotonic();
    await this.#ensure(by, signal, { patient });
  }

  /** Reads again what the server offers; a start reads it too. */
  async refresh(): Promise<void> {
    if (!this.#live) await this.#ensure('SYSTEM');
    else await this.use(() => this.#readAgain());
  }

  /** Ends the session and, for a local server, its process tree. It may be started again. */
  async stop(reason: string, by: EventActor): Promise<void> {
    this.#subscriptions.clear();
    await this.#stop(reason, by);
  }

  /** Stops for good: no holder of this connection can wake it. */
  async close(reason: string, by: EventActor): Promise<void> {
    this.#closed = stoppedError(this.#options.server, reason);
    await this.stop(reason, by);
  }

  /** Subscriptions are kept, failures are forgiven. Two restarts at once are one. */
  restart(by: EventActor, signal?: AbortSignal): Promise<void> {
    this.#restarting ??= this.#startOver(by).finally(() => {
      this.#restarting = undefined;
    });
    return raceSignal(this.#restarting, signal, this.#options.server);
  }

  /** Pings a live server; a dead one is replaced, a lost one looked for. */
  async checkHealth(): Promise<void> {
    const live = this.#live;
    const { clock, limits } = this.#options;
    if (!live) return this.#lookForLost();
    const quiet = clock.monotonic() - live.opened.session.lastHeard >= limits.healthCheckMs / 2;
    if (this.#checking || (!quiet && this.#condition.is('ready'))) return;
    this.#checking = true;
    try {
      await live.opened.session.checkHealth(limits.healthTimeoutMs);
      if (this.#condition.is('degraded')) this.#recovered(live);
    } catch (error) {
      if (this.#live === live) this.#unwell(live, toPlugError(error));
    } finally {
      this.#checking = false;
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
    await this.use((session) => session.setLogLevel(level, timeoutMs));
    this.#logLevel = level;
  }

  async #startAndRun<T>(run: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#active += 1;
    try {
      return await this.#run(await this.#ensure('SYSTEM', signal), run, signal);
    } finally {
      this.#release();
    }
  }

  /** A session that the server forgot is replaced, and the request sent once more. */
  async #run<T>(
    live: Live,
    run: (session: Session) => Promise<T>,
    signal: AbortSignal | undefined,
    isRetry = false,
  ): Promise<T> {
    this.#active += 1;
    live.active += 1;
    try {
      const result = await run(live.opened.session);
      if (!this.#condition.is('ready')) this.#recovered(live);
      return result;
    } catch (thrown) {
      const error = toPlugError(thrown);
      if (this.#live === live) this.#condition.notices(error);
      if (isRetry || !isForgotten(live, error)) throw error;
    } finally {
      live.active -= 1;
      this.#lastUsed = this.#options.clock.monotonic();
      this.#endings.requestEnded(live);
      this.#release();
    }
    return this.#run(await this.#replace(live, signal), run, signal, true);
  }

  #release(): void {
    this.#active -= 1;
    if (!this.busy) this.#options.events.onIdle();
  }

  #ensure(by: EventActor, signal?: AbortSignal, { patient = false }: Patience = {}): Promise<Live> {
    if (this.#live) return Promise.resolve(this.#live);
    if (!this.#starting) {
      if (this.#closed) return Promise.reject(this.#closed);
      const { refusedMs } = this.#recovery;
      if (refusedMs > 0) {
        return Promise.reject(refusedError(this.#options.server, refusedMs, this.state.reason));
      }
      this.#dropRestart();
      this.#starting = this.#begin(by);
    }
    const ready = patient ? this.#starting : (this.#signIn?.race(this.#starting) ?? this.#starting);
    return raceSignal(ready, signal, this.#options.server);
  }

  async #begin(by: EventActor): Promise<Live> {
    const abort = new AbortController();
    this.#abortStart = abort;
    const signIn = new SignInWait(this.#options.server, (error) => this.#condition.waitsForSignIn(error));
    this.#signIn = signIn;
    this.#condition.starts(this.#recovery.restarts + 1);
    const birth: Birth = { opened: undefined, changed: false };
    let processes = 0;
    try {
      const opened = await startSession({
        ...this.#options,
        timeoutMs: this.#options.startTimeoutMs(),
        abort,
        after: this.#endings.all,
        events: this.#sessionEvents(birth),
        failures: this.#recovery.failures,
        onAttempt: () => {
          processes += 1;
        },
        onBusy: (waitMs) => this.#condition.isBusy(waitMs),
        onSignIn: signIn.asked,
        keepManifest: (manifest) => this.#options.events.onManifest(manifest),
      });
      this.#starting = undefined;
      birth.opened = opened;
      return this.#become(opened, birth, by);
    } catch (error) {
      this.#starting = undefined;
      this.#startFailed(toPlugError(error), processes);
      throw error;
    }
  }

  #become(opened: OpenedSession, birth: Birth, by: EventActor): Live {
    const live = { opened, since: this.#options.clock.monotonic(), active: 0 };
    const again = this.#broken;
    this.#live = live;
    this.#broken = false;
    this.#condition.isReady(opened.session, { by, again });
    opened.session.listen();
    this.#restoreDesired(opened.session);
    if (birth.changed) this.#refresher.notice();
    return live;
  }

  #restoreDesired(session: Session): void {
    const timeoutMs = this.#options.limits.healthTimeoutMs;
    for (const uri of this.#subscriptions) {
      ignore(session.subscribe(uri, timeoutMs), 'a server that cannot subscribe any more has no updates');
    }
    if (this.#logLevel) ignore(session.setLogLevel(this.#logLevel, timeoutMs), 'logging is a courtesy');
  }

  #sessionEvents(birth: Birth): SessionEvents {
    const { events } = this.#options;
    const current = (): Live | undefined =>
      this.#live && this.#live.opened === birth.opened ? this.#live : undefined;
    return {
      onListChange: () => {
        if (current()) this.#refresher.notice();
        // It may have changed after its list was read, before we listened.
        else birth.changed = true;
      },
      onResourceUpdate: (uri) => events.onResourceUpdate(uri),
      onTaskStatus: (task) => events.onTaskStatus(task),
      onLog: (entry) => events.onLog(entry),
      onHostWanted: () => events.onHostWanted(),
      onEnd: (error) => {
        const live = current();
        if (live) this.#lost(live, error);
      },
    };
  }

  async #stop(reason: string, by: EventActor): Promise<void> {
    this.#stops += 1;
    this.#dropRestart();
    this.#refresher.stop();
    this.#broken = false;
    this.#abortStart?.abort(stoppedError(this.#options.server, reason));
    this.#endings.endLeaving();
    const live = this.#live;
    this.#live = undefined;
    if (live) {
      this.#lived(live);
      this.#endings.end(live);
      this.#condition.sleeps(reason, by);
    }
    await Promise.allSettled([...this.#endings.all, this.#starting]);
    if (!this.#live && !this.#starting && !this.#condition.is('asleep')) this.#condition.sleeps(reason);
  }

  #dropRestart(): void {
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
  }

  async #startOver(by: EventActor): Promise<void> {
    const stopping = this.#stop('Restarting.', by);
    const stops = this.#stops;
    await stopping;
    // A stop in the meantime wins.
    if (this.#stops !== stops) throw stoppedError(this.#options.server, this.state.reason);
    await this.start(by);
  }

  /** The session ended unasked: restart, at most a few times. */
  #lost(live: Live, error: PlugError): void {
    this.#live = undefined;
    this.#broken = true;
    this.#endings.end(live);
    const livedMs = this.#lived(live);
    if (livedMs < this.#options.limits.stableMs) this.#recovery.failed();
    this.#restartOrGiveUp(error);
  }

  #lived({ since }: Live): number {
    const ms = this.#options.clock.monotonic() - since;
    this.#recovery.lived(ms);
    return ms;
  }

  #startFailed(error: PlugError, processes: number): void {
    if (error.code === 'unavailable') return this.#condition.sleeps(error.message);
    this.#recovery.failed(Math.max(1, processes));
    // Only a server that got through the handshake has crashed; others never worked.
    if (error.code === 'crashed') this.#broken = true;
    const retry = this.#broken && (error.owner === 'server' || error.owner === 'network');
    return retry ? this.#restartOrGiveUp(error) : this.#giveUp(error);
  }

  #restartOrGiveUp(error: PlugError): void {
    const waitMs = this.#recovery.nextRestart();
    if (waitMs === undefined) return this.#giveUp(error);
    this.#cancelRestart = this.#options.clock.after(waitMs, () => {
      this.#cancelRestart = undefined;
      ignore(this.#ensure('SYSTEM'), 'a failed restart is already the state');
    });
    return this.#condition.waitsToRestart(error, this.#recovery.restarts, waitMs);
  }

  #giveUp(error: PlugError): void {
    this.#outage = isOutage(error);
    this.#condition.fails(error, this.#recovery.refusedMs);
  }

  /** A remote server that went down may come back between calls. */
  #lookForLost(): void {
    const wanted = this.#broken && this.#outage && this.idleMs < this.#options.limits.remoteIdleMs;
    if (!wanted || !this.#condition.is('failed')) return;
    ignore(this.#ensure('SYSTEM'), 'a failed attempt is already the state');
  }

  /** Requests that still run on the old session may end there. */
  #replace(live: Live, signal?: AbortSignal): Promise<Live> {
    if (this.#live === live) {
      this.#live = undefined;
      this.#broken = true;
      this.#lived(live);
      this.#condition.isReplaced();
      this.#endings.endWhenIdle(live);
    }
    return this.#ensure('SYSTEM', signal);
  }

  #unwell(live: Live, error: PlugError): void {
    const { code } = error;
    const degraded = this.#condition.is('degraded');
    if (code === 'sign_in_needed' || code === 'rate_limited') this.#condition.notices(error);
    else if (isForgotten(live, error)) ignore(this.#replace(live), 'a failure is already the state');
    else if (code === 'server_error') {
      // An error is an answer, too.
      if (degraded) this.#recovered(live);
    } else if (!degraded) {
      this.#condition.degrades({ reason: `${this.#options.server} did not answer the health check.` });
    } else if (this.#active === 0) {
      // Only an idle server is replaced: our own call may keep it too busy to answer.
      ignore(this.#replace(live), 'a failure is already the state');
    }
  }

  #recovered(live: Live): void {
    if (this.#live === live) this.#condition.recovers();
  }

  async #readAgain(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    const { startTimeoutMs, readManifest, events } = this.#options;
    const manifest = await readManifest(live.opened, timeoutSignal(startTimeoutMs()));
    if (this.#live === live) await events.onManifest(manifest);
  }
}

interface Birth {
  opened: OpenedSession | undefined;
  changed: boolean;
}
