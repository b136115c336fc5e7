import { isLocal, type ServerDefinition } from '../servers/definition.ts';
import { causeContext } from './causes/known-causes.ts';
import { Connection } from './connection.ts';
import type { ConnectionSet } from './connection-set.ts';
import { fetchManifest } from './fetch-manifest.ts';
import type { Occurrence } from './condition.ts';
import { declareOwn } from './host-answers.ts';
import type { KnownServers } from './known-servers.ts';
import type { Era, Manifest } from './manifest.ts';
import type { OpenedSession, OpenSession, ServerOutput } from './open-session.ts';
import type { Caller, PooledServer, PoolEvents, PoolOptions, Host } from './pool.ts';
import { startLimitMs, type StartSlots } from './start-slots.ts';
import type { ServerState } from './state.ts';
import { isAbsolute } from 'node:path';
import type { Verdict } from './store.ts';
import type { Traffic } from './traffic.ts';
import { cwdMatters } from './working-folder.ts';

export interface SharedConnectionOptions extends PoolOptions {
  readonly servers: ReadonlyMap<string, PooledServer>;
  readonly connections: ConnectionSet;
  readonly known: KnownServers;
  readonly tellState: TellState;
  readonly slots: StartSlots;
  readonly events: PoolEvents;
  readonly traffic: Traffic;
}

/** One connection for all servers of the pool that come to the same: how it is opened, and whom it tells. */
export class SharedConnection {
  share: string;
  readonly by: SharedBy;
  /** Set on a link beside the usual one. */
  readonly era: Era | undefined;
  readonly connection: Connection;
  readonly members: Set<string>;
  #first: PooledServer;
  readonly #account: string | undefined;
  readonly #options: SharedConnectionOptions;
  output: ServerOutput | undefined;
  #read: Manifest | undefined;

  constructor(first: PooledServer, sharing: Sharing, options: SharedConnectionOptions) {
    this.share = shareOf(first, sharing);
    this.by = sharing.by;
    this.era = sharing.era;
    this.members = new Set([first.key]);
    this.#first = first;
    this.#account = sharing.account;
    this.#options = options;
    const { events, tellState } = options;
    const { room } = options.connections;
    const { members } = this;
    this.connection = new Connection({
      ...options,
      server: first.definition.id,
      causes: () => causeContext(this.definition),
      startTimeoutMs: () => this.#startTimeoutMs(),
      open: (request) => this.#open(request),
      readManifest: (opened, signal) => this.#readManifest(opened, signal),
      events: {
        onState: (state, event) => {
          members.forEach((key) => tellState(key, state, event));
          room.notice();
        },
        onIdle: () => room.notice(),
        onManifest: (manifest) => this.#keep(manifest),
        onResourceUpdate: (uri) => members.forEach((key) => events.onResourceUpdate(key, uri)),
        onTaskStatus: (task) => members.forEach((key) => events.onTaskStatus(key, task, this.#host?.id)),
        onLog: (entry) => members.forEach((key) => events.onLog(key, entry, this.#host?.id)),
        onHostWanted: () => this.#hostWanted(),
      },
    });
  }

  get #host(): Host | undefined {
    return this.by.kind === 'host' ? this.by.host : undefined;
  }

  /** From now on it is the connection of this server alone. */
  becomes(server: PooledServer, share: string): void {
    this.share = share;
    this.#first = server;
    this.members.clear();
    this.members.add(server.key);
    if (this.#read) this.#read = { ...this.#read, fingerprint: server.fingerprint };
  }

  /** The first of its servers, as it is defined now. */
  get server(): PooledServer {
    const [key = ''] = this.members;
    return this.#options.servers.get(key) ?? this.#first;
  }

  get definition(): ServerDefinition {
    return this.server.definition;
  }

  get keepAlive(): boolean {
    const { servers } = this.#options;
    return [...this.members].some((key) => servers.get(key)?.definition.keepAlive);
  }

  async #open(request: Parameters<OpenSession>[0]): Promise<OpenedSession> {
    const { connections, opener, slots, known, clientInfo, handlers, events, traffic } = this.#options;
    await connections.ended(this.members);
    if (isLocal(this.#first.definition.endpoint)) {
      await request.untimed(() => connections.room.enter(this.share, request.signal));
    }
    const host = this.#host;
    const cwd = this.by.kind === 'folder' ? this.by.folder : host?.cwd;
    const open = (): Promise<OpenedSession> =>
      opener({
        ...request,
        server: this.server,
        host,
        cwd,
        account: this.#account,
        handlers: host?.handlers ?? handlers,
        clientInfo,
        startTimeoutMs: this.#startTimeoutMs(),
        era: this.era,
        verdict: () => known.verdict(this.server),
        remember: (verdict) => known.remember(verdict),
        onOutput: (output) => {
          this.output = output;
        },
        onWritten: () => this.members.forEach((key) => events.onOutput(key, 'log')),
        onFrame: traffic.listener(this.members),
      });
    return slots.run(open, request.signal);
  }

  #readManifest({ session }: OpenedSession, signal: AbortSignal): Promise<Manifest> {
    return fetchManifest(session, {
      ...this.#options,
      server: this.#first.definition.id,
      fingerprint: this.#first.fingerprint,
      timeoutMs: this.#startTimeoutMs(),
      signal,
    });
  }

  #startTimeoutMs(): number {
    const { known, limits } = this.#options;
    const { server } = this;
    return startLimitMs(server.definition, { known: known.manifest(server) !== undefined, limits });
  }

  async #keep(manifest: Manifest): Promise<void> {
    const { servers, known } = this.#options;
    const read = this.by.kind === 'all' ? manifest : { ...manifest, place: placeOf(this.by) };
    const last = this.#read;
    this.#read = read;
    for (const key of this.members) {
      const server = servers.get(key);
      if (server?.fingerprint !== read.fingerprint) continue;
      if (this.era === undefined) await known.keep(server, read, last);
      // What the usual link said counts; of this one, what changes while it lives.
      else if (last) await known.keepChanges(server, read, last);
    }
  }

  #hostWanted(): void {
    const { servers, known, tasks } = this.#options;
    for (const server of [...this.members].flatMap((key) => servers.get(key) ?? [])) {
      if (known.verdictNow(server)?.usesHost) continue;
      tasks.run('remember that a server asks its host', () => known.rememberHostWanted(server));
    }
  }
}

/** Hosts come and go, their names stay. A server may show its tools by what it was told of its host. */
function placeOf(by: Exclude<SharedBy, { kind: 'all' }>): string {
  if (by.kind === 'folder') return by.folder;
  const { cwd, name, id, handlers } = by.host;
  const told = Object.keys(declareOwn(handlers, cwd !== undefined))
    .toSorted()
    .join(' ');
  return `${cwd ?? `host ${name ?? id}`} (${told})`;
}

export type SharedBy =
  | { readonly kind: 'all' }
  | { readonly kind: 'host'; readonly host: Host }
  | { readonly kind: 'folder'; readonly folder: string };

const BY_ALL: SharedBy = { kind: 'all' };

/** Which of the connections of a server one caller uses. */
export interface Sharing {
  readonly by: SharedBy;
  readonly account?: string | undefined;
  /** Other than that of the usual link. */
  readonly era?: Era | undefined;
}

export function sharingFor(
  server: PooledServer,
  { host, account }: Caller,
  verdict: Verdict | undefined,
): Sharing {
  const era = wantedEra(host, verdict);
  return { by: sharedBy(server, host, verdict, era ?? verdict?.era), account, era };
}

/** A modern connection asks nothing by itself: a legacy host that can answer is asked on a legacy one. */
function wantedEra(host: Host | undefined, verdict: Verdict | undefined): Era | undefined {
  if (host?.era !== 'legacy' || verdict?.era !== 'modern' || verdict.alsoLegacy === false) return undefined;
  return (host.handlers.elicitation ?? host.handlers.sampling) ? 'legacy' : undefined;
}

/** Shared unless the user or the folder says otherwise, or a legacy server asks questions, which name no host. */
function sharedBy(
  { definition }: PooledServer,
  host: Host | undefined,
  verdict: Verdict | undefined,
  era: Era | undefined,
): SharedBy {
  if (!host || definition.sharing === 'shared') return BY_ALL;
  const asks = era === 'legacy' && verdict?.usesHost;
  if (asks || definition.sharing === 'per-host') return { kind: 'host', host };
  if (host.cwd !== undefined && cwdMatters(definition)) return { kind: 'folder', folder: host.cwd };
  return BY_ALL;
}

const shares = new WeakMap<PooledServer, string>();

/** Names the connection that a server uses; equal names share one. */
export function shareOf(server: PooledServer, { by, account, era }: Sharing = { by: BY_ALL }): string {
  let share = shares.get(server);
  if (share === undefined) {
    share = describe(server);
    shares.set(server, share);
  }
  const own =
    by.kind === 'all' ? share : `${share}#${by.kind === 'host' ? by.host.id : JSON.stringify(by.folder)}`;
  const named = account === undefined ? own : `${own}@${account}`;
  return era === undefined ? named : `${named}~${era}`;
}

/** Placeholders, relative folders and accounts (kept by id) depend on where a definition comes from. */
function describe({ key, fingerprint, definition, folder }: PooledServer): string {
  const { endpoint, source } = definition;
  const relative = endpoint.kind === 'stdio' && endpoint.cwd !== undefined && !isAbsolute(endpoint.cwd);
  const depends = relative || JSON.stringify(endpoint).includes('${');
  // A project's own servers start in its folder.
  const place = source.scope === 'project' ? folder : '';
  const identity = endpoint.kind === 'stdio' ? '' : definition.id;
  return JSON.stringify([fingerprint, place, depends ? key : '', identity]);
}

export type TellState = (key: string, state: ServerState, event: Occurrence | undefined) => void;

/** Tells every change of state, and keeps the notable ones, so many for each server. */
export function historyOf(
  { clock, ids, store, owner, tasks, limits }: PoolOptions,
  onState: PoolEvents['onState'],
): TellState {
  const { eventsKeptPerServer } = limits;
  let events = 0;
  return (key, state, event) => {
    if (!event) return onState(key, state);
    const record = { id: ids.next('event'), server: key, at: clock.now(), state: state.kind, ...event };
    onState(key, state, record);
    tasks.run('keep an event', () => store.appendEvent(owner, record));
    events += 1;
    if (events % eventsKeptPerServer !== 0) return undefined;
    return tasks.run('prune events', async () => void (await store.pruneEvents(owner, eventsKeptPerServer)));
  };
}
