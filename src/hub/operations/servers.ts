import type { ServerEvent, ServerState } from '../../connections/state.ts';
import { givenDefinition } from '../../servers/definition-schema.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { ServerCredentials } from '../accounts.ts';
import type { InstallProgress } from '../plans.ts';
import type {
  AddOutcome,
  ApplyOutcome,
  PackageOutcome,
  ServerIcon,
  ServerList,
  ServerLog,
  ServerTraffic,
  ServerView,
} from '../servers.ts';
import { count, flag, oneServer, serverId, timeoutMs } from './fields.ts';
import { member, owner, progress, type, type Zod } from './operation.ts';

const ids = (z: Zod) => z.array(serverId(z)).max(1_000);
const view = type<ServerView>();
const one = { input: oneServer, output: view };
const started = { ...one, progress: progress() };
const names = type<readonly string[]>();

export const servers = {
  list: member('GET /v1/servers', 'All servers with their states, and the config files.', {
    output: type<ServerList>(),
  }),
  /** Saves a definition in the database; with `test`, which is the default, only after it connected. */
  add: owner('POST /v1/servers', 'Connects to a server and saves its definition.', {
    input: (z) => ({
      definition: givenDefinition(z),
      /** Keys that the definition refers to, by their names in the vault: saved with it, or not at all. */
      secrets: z.record(z.string().max(256), z.string().min(1).max(65_536)).exactOptional(),
      test: flag(z),
      replace: flag(z),
    }),
    output: type<AddOutcome>(),
    progress: progress(),
  }),
  apply: owner('PUT /v1/servers', 'Makes the database hold exactly these servers.', {
    input: (z) => ({ definitions: z.array(givenDefinition(z)).max(1_000) }),
    output: type<ApplyOutcome>(),
  }),
  reload: owner('POST /v1/servers/reload', 'Reads the config files again now.', {
    output: type<ApplyOutcome>(),
  }),
  restartFailed: member('POST /v1/servers/restart-failed', 'Restarts every server that failed.', {
    output: names,
  }),
  stopAll: owner('POST /v1/servers/stop-all', 'Stops every server that runs.', { output: names }),
  ensureStarted: member(
    'POST /v1/servers/ensure-started',
    'Starts servers in the background and returns at once.',
    { input: (z) => ({ ids: ids(z).exactOptional() }), output: names },
  ),
  waitUntilReady: member(
    'POST /v1/servers/wait',
    'Starts servers and waits until each is ready or has failed.',
    {
      input: (z) => ({ ids: ids(z).exactOptional(), timeoutMs: timeoutMs(z).exactOptional() }),
      output: type<ServerList>(),
      progress: progress<{
        readonly ready: number;
        readonly total: number;
        readonly server: string;
        readonly state: ServerState;
      }>(),
    },
  ),
  get: member('GET /v1/servers/:id', 'One server with its state.', one),
  definition: owner('GET /v1/servers/:id/definition', 'All of a definition, placeholders unresolved.', {
    input: oneServer,
    output: type<ServerDefinition>(),
  }),
  remove: owner('DELETE /v1/servers/:id', 'Stops a server and forgets it.', { input: oneServer }),
  enable: owner('POST /v1/servers/:id/enable', 'Switches a server on.', one),
  disable: owner('POST /v1/servers/:id/disable', 'Switches a server off.', one),
  setReadOnly: owner(
    'POST /v1/servers/:id/read-only',
    'Offers only the tools of a server that change nothing, or all of them.',
    { input: (z) => ({ id: serverId(z), readOnly: z.boolean() }), output: view },
  ),
  /** Whether pages that a server brings along (`ui://` resources) are shown; off by default. */
  setApps: owner('POST /v1/servers/:id/apps', 'Shows the pages that a server brings along, or not.', {
    input: (z) => ({ id: serverId(z), shown: z.boolean() }),
    output: view,
  }),
  credentials: owner(
    'GET /v1/servers/:id/credentials',
    'What is stored for a server and would be forgotten with it, by name.',
    { input: oneServer, output: type<ServerCredentials>() },
  ),
  /** Fetched for the page: only pictures without a script in them. */
  icon: member('GET /v1/servers/:id/icon', 'The picture that a server declares.', {
    input: oneServer,
    output: type<ServerIcon>(),
  }),
  /** With the fingerprint that was shown, an entry that changed since is refused; one in `waiting` needs it. */
  trust: owner(
    'POST /v1/servers/:id/trust',
    'Lets read-only tools run without asking, and an entry of a project file run as it is now.',
    {
      input: (z) => ({
        id: serverId(z),
        fingerprint: z.string().max(128).exactOptional(),
        /** Until the hub stops; else until it is taken back. */
        session: flag(z),
      }),
      output: view,
    },
  ),
  /** By npm or uv, into a store of ours. A version that its command does not name is looked up, and kept from then on. */
  install: owner(
    'POST /v1/servers/:id/install',
    'Installs the package of a server, to start its own program.',
    {
      input: (z) => ({
        id: serverId(z),
        /** Lets the install scripts run that packages bring along. */
        scripts: flag(z),
      }),
      output: type<PackageOutcome>(),
      progress: progress<InstallProgress>(),
    },
  ),
  untrust: owner('POST /v1/servers/:id/untrust', 'Takes the trust in a server back.', one),
  start: member('POST /v1/servers/:id/start', 'Starts a server.', started),
  stop: owner('POST /v1/servers/:id/stop', 'Stops a server.', one),
  restart: member('POST /v1/servers/:id/restart', 'Stops and starts a server.', started),
  /** A new session without touching what runs, where the transport allows it. */
  reconnect: member('POST /v1/servers/:id/reconnect', 'Opens a new session with a server.', started),
  logs: member('GET /v1/servers/:id/logs', 'What a server wrote to stderr.', {
    input: (z) => ({ id: serverId(z), lines: count(z).exactOptional() }),
    output: type<ServerLog>(),
  }),
  /** In memory only, bounded, and off until somebody asks for it. */
  traffic: owner('GET /v1/servers/:id/traffic', 'Messages between the hub and a server, as recorded.', {
    input: (z) => ({ id: serverId(z), after: count(z).exactOptional() }),
    output: type<ServerTraffic>(),
  }),
  recordTraffic: owner(
    'PUT /v1/servers/:id/traffic',
    'Starts recording a server’s messages, or deletes the recording.',
    {
      input: (z) => ({ id: serverId(z), recorded: z.boolean() }),
      output: type<ServerTraffic>(),
    },
  ),
  events: member('GET /v1/history', 'Changes of state that were recorded, newest first.', {
    input: (z) => ({
      server: serverId(z).exactOptional(),
      since: count(z).exactOptional(),
      limit: count(z).exactOptional(),
    }),
    output: type<readonly ServerEvent[]>(),
  }),
};
