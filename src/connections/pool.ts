import { type ErrorCode, PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Connection } from './connection.ts';
import { ConnectionSet } from './connection-set.ts';
import type { HostHandlers, HostPlace } from './host.ts';
import type { LinkLog } from './in-flight.ts';
import { KnownServers } from './known-servers.ts';
import type { Runtime } from './limits.ts';
import type { Era, Manifest, ManifestDiff } from './manifest.ts';
import type { ServerOutput, SessionOpener } from './open-session.ts';
import type { Session } from './session.ts';
import {
  historyOf,
  shareOf,
  sharingFor,
  SharedConnection,
  type SharedConnectionOptions,
} from './shared-connection.ts';
import { StartSlots } from './start-slots.ts';
import type { EventActor, ServerEvent, ServerState } from './state.ts';
import type { ConnectionStore } from './store.ts';
import { Traffic } from './traffic.ts';

export interface PooledServer {
  /** Name in storage and events: the id, made unique where two folders define the same one. */
  readonly key: string;
  readonly definition: ServerDefinition;
  readonly fingerprint: string;
  /** Relative paths of the definition start here. */
  readonly folder: string;
}

/** A face that servers may ask; its per-host connections end with it. */
export interface Host extends HostPlace {
  /** Of an MCP host; our own faces have none. */
  readonly era?: Era;
  /** As it calls itself: for people, never to decide by. */
  readonly name?: string;
  /** A person is in front of it, who may be asked for hosts that can't. */
  readonly isFace?: boolean;
  readonly handlers: HostHandlers;
}

export interface PoolEvents {
  onState(key: string, state: ServerState, event?: ServerEvent): void;
  onManifest(key: string, diff: ManifestDiff): void;
  onResourceUpdate(key: string, uri: string): void;
  /** `host`: the only one of the connection that it came on. */
  onTaskStatus(key: string, task: JsonObject, host: string | undefined): void;
  onLog(key: string, entry: LinkLog, host: string | undefined): void;
  /** There is more to read of what it wrote, or of its traffic. */
  onOutput(key: string, of: OutputKind): void;
}

export type OutputKind = 'log' | 'traffic';

export interface PoolOptions extends Runtime {
  readonly owner: OwnerId;
  readonly store: ConnectionStore;
  readonly opener: SessionOpener;
  readonly clientInfo: JsonObject;
  /** Of the hub's owner; they answer servers on shared connections. */
  readonly handlers: HostHandlers;
  readonly logger: Logger;
  readonly tasks: TaskGroup;
  readonly hideSecrets?: <T>(value: T) => T;
}

export interface Caller {
  readonly host?: Host | undefined;
  /** An account other than the default one. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** All servers, and the connection that each caller uses: one per (command × workspace × credential). */
export class Pool {
  readonly #servers = new Map<string, PooledServer>();
  readonly #known: KnownServers;
  readonly #connections: ConnectionSet;
  readonly #shared: SharedConnectionOptions;
  readonly #listeners: Partial<PoolEvents>[] = [];
  readonly traffic: Traffic;
  #closed = false;

  constructor(options: PoolOptions) {
    const events = toEach(this.#listeners);
    this.traffic = new Traffic({
      clock: options.clock,
      hideSecrets: options.hideSecrets ?? ((value) => value),
      onChange: (key) => events.onOutput(key, 'traffic'),
    });
    this.#known = new KnownServers({ ...options, onManifest: (key, diff) => events.onManifest(key, diff) });
    this.#connections = new ConnectionSet(options);
    this.#shared = {
      ...options,
      events,
      servers: this.#servers,
      connections: this.#connections,
      known: this.#known,
      tellState: historyOf(options, (...told) => events.onState(...told)),
      slots: new StartSlots(options),
      traffic: this.traffic,
    };
  }

  /** Reads stored manifests: the catalog is there before any server runs. */
  load(): Promise<void> {
    return this.#known.load();
  }

  listen(events: Partial<PoolEvents>): void {
    this.#listeners.push(events);
  }

  /** Adds or replaces one server. Connections under another fingerprint end. */
  put(server: PooledServer): void {
    const before = this.#servers.get(server.key);
    this.#servers.set(server.key, server);
    if (!before || before.fingerprint === server.fingerprint) return;
    this.#shared.tasks.run('end what was defined before', () =>
      this.release(server.key, 'Its definition changed.'),
    );
  }

  /** Takes a server off its connections: one that no other server shares ends. */
  release(key: string, reason: string): Promise<void> {
    return this.#connections.release(key, reason);
  }

  async remove(key: string): Promise<void> {
    const leaving = this.release(key, 'Removed.');
    this.#servers.delete(key);
    this.traffic.end(key);
    await leaving;
  }

  /** The connection that was tried goes on as that of the server it was saved as, with what it has told. */
  async adopt(tried: string, key: string): Promise<void> {
    const [from, to] = [this.#servers.get(tried), this.#servers.get(key)];
    const shared = from && this.#member(shareOf(from), tried);
    if (!from || !to || !shared) return;
    await this.#connections.ended([key]);
    await this.#known.copy(from, to, { anew: true });
    const share = shareOf(to);
    const there = this.#connections.get(share);
    // A caller may have come first: then the tried connection ends with its trial.
    if (there?.members.has(key)) return;
    if (!there) {
      this.#connections.remove(shared);
      shared.becomes(to, share);
      this.#connections.add(shared);
    }
    there?.members.add(key);
    const { state } = (there ?? shared).connection;
    const event = { kind: 'CONNECTED', by: 'USER', reason: state.reason } as const;
    // Nothing was kept of the trial itself: the history begins here.
    this.#shared.tellState(key, state, state.kind === 'ready' ? event : undefined);
  }

  /** Whether a server that comes to the same runs: its process is the one that this server would use. */
  runs(server: PooledServer): boolean {
    return this.#connections.get(shareOf(server))?.connection.live !== undefined;
  }

  /** For a server that was removed for good. */
  forget(key: string): void {
    this.#known.forget(key);
  }

  get live(): number {
    return this.#connections.occupied.length;
  }

  /** A session of a legacy server may know what was done in it; a modern one is opened anew without loss. */
  get holdsSessions(): boolean {
    return this.#connections.occupied.some(
      ({ connection }) => connection.busy || connection.live?.session.agreement.era !== 'modern',
    );
  }

  has(key: string): boolean {
    return this.#servers.has(key);
  }

  server(key: string): PooledServer | undefined {
    return this.#servers.get(key);
  }

  servers(): readonly PooledServer[] {
    return [...this.#servers.values()];
  }

  state(key: string): ServerState {
    const states = this.#connections.ofServer(key).map(({ connection }) => connection.state);
    const best = (['ready', 'degraded', 'starting'] as const)
      .map((kind) => states.find((state) => state.kind === kind))
      .find((state) => state !== undefined);
    return best ?? states[0] ?? { kind: 'asleep', reason: 'Starts on first use.' };
  }

  manifest(key: string): Manifest | undefined {
    return this.#known.manifest(this.#servers.get(key));
  }

  output(key: string): ServerOutput | undefined {
    return this.#connections.ofServer(key).find(({ output }) => output)?.output;
  }

  use<T>(key: string, run: (session: Session) => Promise<T>, options: Caller = {}): Promise<T> {
    const known = this.#live(key, options);
    if (known) return known.connection.use(run, options.signal);
    return this.#settled(key, options).then(({ connection }) => connection.use(run, options.signal));
  }

  async connection(key: string, host?: Host): Promise<Connection> {
    return (await this.#settled(key, { host })).connection;
  }

  /** Tells the servers that this host has for itself to ask for its roots again. */
  rootsChanged(host: string): void {
    for (const { connection } of this.#connections.ofHost(host)) connection.live?.session.rootsChanged();
  }

  async stop(key: string, reason: string, by: EventActor): Promise<void> {
    const connections = this.#connections.ofServer(key);
    await Promise.all(connections.map(({ connection }) => connection.stop(reason, by)));
  }

  /** Answers which servers were live. */
  async stopAll(reason: string, by: EventActor): Promise<readonly string[]> {
    const { occupied } = this.#connections;
    await Promise.all(occupied.map(({ connection }) => connection.stop(reason, by)));
    return [...new Set(occupied.flatMap(({ members }) => [...members]))];
  }

  detach(host: string): Promise<void> {
    return this.#connections.detach(host);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connections.close();
  }

  /** The usual path of a call: an existing connection, found without waiting. */
  #live(key: string, caller: Caller): SharedConnection | undefined {
    const server = this.#closed ? undefined : this.#servers.get(key);
    if (!server) return undefined;
    if (!caller.host) return this.#member(shareOf(server, sharingFor(server, caller, undefined)), key);
    const verdict = this.#known.verdictNow(server);
    const shared = verdict && this.#member(shareOf(server, sharingFor(server, caller, verdict)), key);
    return shared?.connection.live ? shared : undefined;
  }

  #member(share: string, key: string): SharedConnection | undefined {
    const shared = this.#connections.get(share);
    return shared?.members.has(key) ? shared : undefined;
  }

  /** Some servers ask their host something as they start: only then it is known who may share them. */
  async #settled(key: string, caller: Caller): Promise<SharedConnection> {
    const first = await this.#join(key, caller);
    if (first.era !== undefined) return this.#inEra(first, key, caller);
    const { host, signal } = caller;
    const isDecided = first.by.kind === 'host' && this.#known.verdictNow(first.server) !== undefined;
    if (!host || isDecided || first.connection.live) return first;
    await first.connection.start('SYSTEM', signal);
    const shared = await this.#join(key, caller);
    return shared.era === undefined ? shared : this.#inEra(shared, key, caller);
  }

  /** A link beside the usual one; the usual one, if the server turns out to speak no other era. */
  async #inEra(shared: SharedConnection, key: string, caller: Caller): Promise<SharedConnection> {
    const { connection, era } = shared;
    try {
      await connection.start('SYSTEM', caller.signal);
      if (connection.live?.session.agreement.era === era) {
        const now = await this.#join(key, caller);
        return now === shared || now.era === undefined ? now : await this.#inEra(now, key, caller);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    const server = this.#servers.get(key);
    if (server) await this.#known.rememberOneEra(server);
    this.#connections.remove(shared);
    await connection.close('The server speaks one era of the protocol.', 'SYSTEM');
    return this.#settled(key, caller);
  }

  async #join(key: string, caller: Caller): Promise<SharedConnection> {
    const server = this.#servers.get(key);
    if (!server || this.#closed) {
      const message = this.#closed ? 'The hub is stopping.' : `There is no server “${key}”.`;
      throw new PlugError(this.#closed ? 'unavailable' : 'not_found', message, { owner: 'you', server: key });
    }
    const sharing = sharingFor(server, caller, caller.host && (await this.#known.verdict(server)));
    const share = shareOf(server, sharing);
    const known = this.#connections.get(share);
    if (known?.members.has(key)) return known;
    if (known) await this.#known.copy(known.server, server);
    // Another caller may have come first during the awaits.
    const shared = this.#connections.get(share) ?? new SharedConnection(server, sharing, this.#shared);
    shared.members.add(key);
    this.#connections.add(shared);
    return shared;
  }
}

/** The server disliked the way it was spoken to, and may be fine otherwise. */
function isRefusal(error: unknown): boolean {
  return error instanceof PlugError && REFUSALS.has(error.code);
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'protocol_error',
  'server_error',
  'unsupported',
  'start_failed',
  'start_timeout',
  'crashed',
]);

function toEach(listeners: readonly Partial<PoolEvents>[]): PoolEvents {
  return {
    onState: (...told) => listeners.forEach((each) => each.onState?.(...told)),
    onManifest: (...told) => listeners.forEach((each) => each.onManifest?.(...told)),
    onTaskStatus: (...told) => listeners.forEach((each) => each.onTaskStatus?.(...told)),
    onResourceUpdate: (...told) => listeners.forEach((each) => each.onResourceUpdate?.(...told)),
    onLog: (...told) => listeners.forEach((each) => each.onLog?.(...told)),
    onOutput: (...told) => listeners.forEach((each) => each.onOutput?.(...told)),
  };
}
