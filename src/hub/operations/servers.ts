import type { ServerEvent, ServerState } from '../../connections/state.ts';
import { givenDefinition } from '../../servers/definition-schema.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { ServerCredentials } from '../accounts.ts';
import type { AddOutcome, ApplyOutcome, ServerIcon, ServerList, ServerLog, ServerView } from '../servers.ts';
import { count, oneServer, serverId, timeoutMs } from './fields.ts';
import { op, progress, type, type Zod } from './operation.ts';

const ids = (z: Zod) => z.array(serverId(z)).max(1_000);
const view = type<ServerView>();

/** The servers that are here: how they are, and what can be done with them. */
export const servers = {
  list: op('GET /v1/servers', {
    summary: 'All servers with their states, and the config files.',
    role: 'member',
    output: type<ServerList>(),
  }),
  /** Saves a definition in the database; with `test`, which is the default, only after it connected. */
  add: op('POST /v1/servers', {
    summary: 'Connects to a server and saves its definition.',
    role: 'owner',
    input: (z) =>
      z.strictObject({
        definition: givenDefinition(z),
        test: z.boolean().exactOptional(),
        replace: z.boolean().exactOptional(),
      }),
    output: type<AddOutcome>(),
    progress: progress(),
  }),
  /** Makes the database hold exactly these servers: added, removed, changed, kept. */
  apply: op('PUT /v1/servers', {
    summary: 'Makes the database hold exactly these servers.',
    role: 'owner',
    input: (z) => z.strictObject({ definitions: z.array(givenDefinition(z)).max(1_000) }),
    output: type<ApplyOutcome>(),
  }),
  reload: op('POST /v1/servers/reload', {
    summary: 'Reads the config files again now.',
    role: 'owner',
    output: type<ApplyOutcome>(),
  }),
  restartFailed: op('POST /v1/servers/restart-failed', {
    summary: 'Restarts every server that failed.',
    role: 'member',
    output: type<readonly string[]>(),
  }),
  stopAll: op('POST /v1/servers/stop-all', {
    summary: 'Stops every server that runs.',
    role: 'owner',
    output: type<readonly string[]>(),
  }),
  /** Starts these (default: all enabled) in the background and returns at once. */
  ensureStarted: op('POST /v1/servers/ensure-started', {
    summary: 'Starts servers in the background and returns at once.',
    role: 'member',
    input: (z) => z.strictObject({ ids: ids(z).exactOptional() }),
    output: type<readonly string[]>(),
  }),
  /** Starts these and waits until each is ready or has failed, or the time is over. */
  waitUntilReady: op('POST /v1/servers/wait', {
    summary: 'Starts servers and waits until each is ready or has failed.',
    role: 'member',
    input: (z) => z.strictObject({ ids: ids(z).exactOptional(), timeoutMs: timeoutMs(z).exactOptional() }),
    output: type<ServerList>(),
    progress: progress<{
      readonly ready: number;
      readonly total: number;
      readonly server: string;
      readonly state: ServerState;
    }>(),
  }),
  get: op('GET /v1/servers/:id', {
    summary: 'One server with its state.',
    role: 'member',
    input: oneServer,
    output: view,
  }),
  /** All of a definition, for an export; placeholders stay unresolved. */
  definition: op('GET /v1/servers/:id/definition', {
    summary: 'All of a definition, placeholders unresolved.',
    role: 'owner',
    input: oneServer,
    output: type<ServerDefinition>(),
  }),
  remove: op('DELETE /v1/servers/:id', {
    summary: 'Stops a server and forgets it.',
    role: 'owner',
    input: oneServer,
  }),
  enable: op('POST /v1/servers/:id/enable', {
    summary: 'Switches a server on.',
    role: 'owner',
    input: oneServer,
    output: view,
  }),
  disable: op('POST /v1/servers/:id/disable', {
    summary: 'Switches a server off.',
    role: 'owner',
    input: oneServer,
    output: view,
  }),
  setReadOnly: op('POST /v1/servers/:id/read-only', {
    summary: 'Offers only the tools of a server that change nothing, or all of them.',
    role: 'owner',
    input: (z) => z.strictObject({ id: serverId(z), readOnly: z.boolean() }),
    output: view,
  }),
  /** Whether pages that a server brings along (`ui://` resources) are shown; off by default. */
  setApps: op('POST /v1/servers/:id/apps', {
    summary: 'Shows the pages that a server brings along, or not.',
    role: 'owner',
    input: (z) => z.strictObject({ id: serverId(z), shown: z.boolean() }),
    output: view,
  }),
  credentials: op('GET /v1/servers/:id/credentials', {
    summary: 'What is stored for a server and would be forgotten with it, by name.',
    role: 'owner',
    input: oneServer,
    output: type<ServerCredentials>(),
  }),
  /** Fetched for the page: only pictures without a script in them. */
  icon: op('GET /v1/servers/:id/icon', {
    summary: 'The picture that a server declares.',
    role: 'member',
    input: oneServer,
    output: type<ServerIcon>(),
  }),
  /**
   * Lets what reads run without asking, and an entry of a project's file run at all, exactly as
   * it was shown: give the fingerprint of `untrusted`, and an entry that changed since then is
   * refused. An entry that waits beside a server (`waiting`) is trusted only by its fingerprint.
   * Its tools are pinned as they are now, but for those that changed since
   * they were approved: each of them waits for an approval of its own.
   */
  trust: op('POST /v1/servers/:id/trust', {
    summary: 'Lets what reads run without asking, and an entry of a project file run as it reads now.',
    role: 'owner',
    input: (z) =>
      z.strictObject({
        id: serverId(z),
        fingerprint: z.string().max(128).exactOptional(),
        /** Until the hub stops; else until it is taken back. */
        session: z.boolean().exactOptional(),
      }),
    output: view,
  }),
  untrust: op('POST /v1/servers/:id/untrust', {
    summary: 'Takes the trust in a server back.',
    role: 'owner',
    input: oneServer,
    output: view,
  }),
  start: op('POST /v1/servers/:id/start', {
    summary: 'Starts a server.',
    role: 'member',
    input: oneServer,
    output: view,
    progress: progress(),
  }),
  stop: op('POST /v1/servers/:id/stop', {
    summary: 'Stops a server.',
    role: 'owner',
    input: oneServer,
    output: view,
  }),
  restart: op('POST /v1/servers/:id/restart', {
    summary: 'Stops and starts a server.',
    role: 'member',
    input: oneServer,
    output: view,
    progress: progress(),
  }),
  /** A new session without touching what runs, where the transport allows it. */
  reconnect: op('POST /v1/servers/:id/reconnect', {
    summary: 'Opens a new session with a server.',
    role: 'member',
    input: oneServer,
    output: view,
    progress: progress(),
  }),
  logs: op('GET /v1/servers/:id/logs', {
    summary: 'What a server wrote to stderr.',
    role: 'member',
    input: (z) => z.strictObject({ id: serverId(z), lines: count(z).exactOptional() }),
    output: type<ServerLog>(),
  }),
  events: op('GET /v1/history', {
    summary: 'Changes of state that were recorded, newest first.',
    role: 'member',
    input: (z) =>
      z.strictObject({
        server: serverId(z).exactOptional(),
        since: count(z).exactOptional(),
        limit: count(z).exactOptional(),
      }),
    output: type<readonly ServerEvent[]>(),
  }),
};
