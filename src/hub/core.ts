import { Cleanup } from '../base/cleanup.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Broadcast } from '../base/broadcast.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { messageOf, PlugError } from '../base/errors.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import { type Limits, limits as defaultLimits } from '../base/limits.ts';
import { type Logger, redactedLogger, silentLogger } from '../base/logger.ts';
import { checkOwnContents, checkOwnFolders } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import { TaskGroup } from '../base/tasks.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { AddressGuard } from '../connections/http/address-guard.ts';
import { createOpener, type SessionOpener } from '../connections/open-session.ts';
import { type Host, Pool } from '../connections/pool.ts';
import { commandRunner } from '../connections/processes/run-command.ts';
import { LoginPath } from '../connections/processes/login-path.ts';
import { startTimeOf } from '../connections/processes/process-table.ts';
import { reapLeftovers } from '../connections/processes/reap.ts';
import { UsageSamples } from '../connections/processes/usage-samples.ts';
import { openStorage, type Storage, type StorageOptions } from '../storage/open.ts';
import { Accounts } from '../vault/accounts.ts';
import { systemKeyring } from '../vault/keyring.ts';
import { SealedVault } from '../vault/sealed-vault.ts';
import type { Approval, ApprovalAnswer } from '../policy/approval.ts';
import type { PlanParts, openPlanParts } from './plans/open.ts';
import { outputNotices } from './output-notices.ts';
import { PackagedServers } from './packaged-servers.ts';
import { PackageIntegrity } from './plans/package-integrity.ts';
import type { Agent } from './agent.ts';
import { ChatRuns } from './chat-runs.ts';
import { ChangeJournal } from './changes/journal.ts';
import type { ClientFiles } from './client-files.ts';
import type { Hub, HubEvent } from './hub.ts';
import { openDecisions, openRecording, type Decisions } from './decisions/open.ts';
import { DefinitionResolver } from './definition-resolver.ts';
import { FirstLooks } from './first-looks.ts';
import { toolNames } from './secrets-in.ts';
import { openRedaction, type Redaction } from './redaction.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { SettingsFile } from './settings-file.ts';
import type { Callbacks } from '../connections/sign-in/callbacks.ts';
import type { Identity } from '../connections/sign-in/identity.ts';
import { SignInService } from '../connections/sign-in/sign-in-service.ts';
import { connectionStore, Trials } from './trials.ts';
import { Versions } from './versions/versions.ts';

export interface HubOptions {
  readonly paths: Paths;
  /** The project: its mcp.json counts. Local servers start here that name no folder of their own. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly platform?: NodeJS.Platform;
  /** Default: SQLite in the data folder. One that is open stays open when the hub closes. */
  readonly storage?: StorageOptions | Storage;
  /** Set for one of many owners, none of whom is the user of this machine. */
  readonly tenancy?: Tenancy;
  /** Answers servers that ask their host something. */
  readonly handlers?: HostHandlers;
  /** Answers calls that need approval; without it such calls fail and say how to grant them. */
  readonly approve?: (approval: Approval) => Promise<Omit<ApprovalAnswer, 'argsHash'>>;
  /** Talks to models on behalf of a hub's face; loaded by the first chat. */
  readonly openAgent?: (hub: Hub) => Promise<Agent>;
  /** The way to other clients' files; loaded when one is written. */
  readonly openClientFiles?: () => Promise<ClientFiles>;
  /** Fetch the manifests of servers that have none, in the background. */
  readonly firstLooks?: boolean;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly limits?: Partial<Limits>;
}

/** Their hub starts no program and reads nothing of this machine: set `PLUG_REMOTE_ONLY`, too. */
export interface Tenancy {
  readonly owner: string;
  /** Asked before any address is contacted that an owner, or a server of theirs, has named. */
  readonly guard: AddressGuard;
  /** Where their browsers come back to after a sign-in at a server. */
  readonly callbacks?: Callbacks;
  /** The identity provider that has signed them in, for servers that take its word. */
  readonly identity?: Identity;
  /** This process, where several may serve the owner: one at a time, and the next knows what was under way. */
  readonly holder?: string;
  /** Throws where no more calls of this server may be made now; undefined where nothing is counted. */
  readonly quota?: (server: string) => Promise<void> | undefined;
  /** Texts of rules that others have made, and that hold before one's own. */
  readonly sharedRules?: () => Promise<readonly string[]>;
  /** Hears of calls that others have to approve, and of their end. */
  readonly others?: {
    readonly waits: (approval: Approval, principal: string) => void;
    readonly ended: (id: string) => void;
  };
  /** What the team shares; one's own servers of the same name come first. */
  readonly sharedServers?: () => Promise<readonly ServerDefinition[]>;
}

export interface Core extends AsyncDisposable {
  readonly options: HubOptions;
  readonly owner: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly vault: SealedVault;
  readonly accounts: Accounts;
  readonly signIn: SignInService;
  readonly redactor: Redaction;
  readonly pool: Pool;
  readonly decisions: Decisions;
  readonly tasks: TaskGroup;
  readonly settings: SettingsFile;
  readonly trials: Trials;
  readonly changes: ChangeJournal;
  readonly versions: Versions;
  /** Absent where servers start only when they are asked to. */
  readonly firstLooks: FirstLooks | undefined;
  readonly packaged: PackagedServers;
  readonly usage: UsageSamples;
  /** Events carry keys; each workspace shows them under its own ids. */
  readonly events: Broadcast<HubEvent>;
  readonly hosts: Map<string, Host>;
  readonly chatRuns: ChatRuns;
  /** Sign-ins that wait for an address pasted by hand. */
  readonly pastes: Map<string, (address: string) => void>;
  /** For finding and adding servers; loaded on first use. */
  readonly planParts: () => Promise<PlanParts>;
  readonly searchPath: () => Promise<string>;
  /** The same if it is known already; starts no shell. */
  readonly knownSearchPath: () => string | undefined;
  readonly startedAt: number;
}

/** A single user has one owner of all rows. */
const OWNER = 'local';

/** Puts the parts together, step by step. This is the only place that knows all of them. */
export async function openCore(options: HubOptions): Promise<Core> {
  const { clock = systemClock, ids = systemIds } = options;
  const limits = { ...defaultLimits, ...options.limits };
  checkOwnFolders(options.paths);
  checkOwnContents(options.paths);
  const redactor = openRedaction(limits, options.env);
  const logger = redactedLogger(options.logger ?? silentLogger, redactor);
  await using opened = new Cleanup();
  const storage = await storageOf(options, opened);
  const tasks = new TaskGroup(logger);
  opened.defer(() => tasks.close());
  const { owner = OWNER } = options.tenancy ?? {};
  const base = { options, owner, clock, ids, limits, logger, storage, redactor, tasks };
  const vault = openVault(base);
  const accounts = new Accounts({ store: storage.accounts, secrets: vault, clock, limits });
  const trials = new Trials({ clock, limits, redactText: (text) => redactor.redactText(text) });
  const settings = await openSettings(base);
  const recording = await openRecording({ ...base, settings, opened });
  const { runCommand, login, searchPath } = openPrograms(base);
  const resolver = new DefinitionResolver({ ...base, vault, accounts, runCommand, trials });
  const integrity = new PackageIntegrity({ ...base, searchPath });
  opened.defer(() => integrity.close());
  const { guard, callbacks, identity } = options.tenancy ?? {};
  const reached = { guard, callbacks, identity, env: options.env };
  const signIn = new SignInService({ ...base, ...reached, vault, accounts, resolver });
  opened.defer(() => signIn.close());
  const events = new Broadcast<HubEvent>(limits.watchQueueMax);
  opened.defer(() => events.close());
  const packaged = new PackagedServers({ ...base, searchPath, trials, integrity, pool: () => pool });
  const opener = await openOpener(base, { searchPath, resolver, packaged, signIn });
  const pool = await openPool(base, trials.watched(opener), opened);
  // Owners have no programs here.
  if (!options.tenancy) tasks.run('reap what a crashed hub left behind', () => reap(base));
  const decisions = await openDecisions({ ...base, ...recording, pool, events, settings, signIn, opened });
  tellEvents({ pool, redactor, events, clock });
  const usage = new UsageSamples({ clock, tasks });
  opened.defer(() => usage.close());
  const firstLooks = options.firstLooks ? new FirstLooks({ ...base, pool, decisions }) : undefined;
  const hosts = new Map<string, Host>();
  const chatRuns = new ChatRuns({ clock, hosts });
  opened.defer(() => chatRuns.close());
  const parts = {
    ...base,
    vault,
    accounts,
    signIn,
    pool,
    decisions,
    settings,
    trials,
    changes: new ChangeJournal({ ...base, vault }),
    firstLooks,
    packaged,
    usage,
    events,
    hosts,
    chatRuns,
    pastes: new Map(),
    searchPath,
    knownSearchPath: () => login.known,
    startedAt: clock.now(),
  };
  const planParts = deferredPlanParts(parts, opened);
  const versions = await Versions.load({ ...base, pool, planParts });
  const whole = opened.move();
  return { ...parts, planParts, versions, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

export type Base = Pick<
  Core,
  'options' | 'owner' | 'clock' | 'ids' | 'limits' | 'logger' | 'storage' | 'redactor' | 'tasks'
>;

async function storageOf(options: HubOptions, opened: Cleanup): Promise<Storage> {
  const { storage = storageFrom(options) } = options;
  return 'servers' in storage ? storage : opened.use(await openStorage(storage));
}

/** SQLite in the data folder, unless `PLUG_DATABASE_URL` names a PostgreSQL database. */
function storageFrom({ env, paths }: HubOptions): StorageOptions {
  const url = env['PLUG_DATABASE_URL'];
  if (!url) return { kind: 'sqlite', file: join(paths.data, 'plugboard.db') };
  if (/^postgres(ql)?:\/\//.test(url)) return { kind: 'postgres', url };
  const remedy = 'Unset PLUG_DATABASE_URL to use the embedded database.';
  const why = 'PLUG_DATABASE_URL does not start with postgres:// or postgresql://.';
  throw new PlugError('usage', why, { owner: 'you', remedy });
}

/** Nothing is asked of the keyring before the first secret is kept or needed. */
function openVault({ options, owner, storage, tasks, redactor, clock, ids, limits }: Base): SealedVault {
  const { env, paths } = options;
  const keyring = env['PLUG_NO_KEYRING'] ? undefined : systemKeyring({ clock, limits });
  const sources = { keyring, env, folder: join(paths.data, 'vault'), clock, ids, limits };
  const vault = new SealedVault({ store: storage.vault, owner, sources, tasks, redactor });
  vault.resume();
  return vault;
}

function openSettings({ options, ids, limits, logger }: Base): Promise<SettingsFile> {
  return SettingsFile.open({
    folder: options.paths.config,
    ids,
    limits,
    onProblem: (error) => logger.warn('the settings were left out', { error: messageOf(error) }),
  });
}

function openPrograms({ options, clock, ids, limits }: Base) {
  const { env: hubEnv, platform = process.platform } = options;
  const login = new LoginPath({ hubEnv, home: homedir(), platform, clock, ids, limits });
  const searchPath = (): Promise<string> => login.get();
  return { login, searchPath, runCommand: commandRunner({ hubEnv, platform, searchPath, clock, limits }) };
}

interface Resolving {
  readonly resolver: DefinitionResolver;
}

/** Opens sessions; local processes are noted, so that a later hub can end those of a crashed one. */
async function openOpener(
  base: Base,
  { searchPath, resolver, packaged, signIn }: Pick<Core, 'searchPath' | 'signIn' | 'packaged'> & Resolving,
): Promise<SessionOpener> {
  const { options, redactor, storage, tasks } = base;
  const hub = `${process.pid}:${await startTimeOf(process.pid)}`;
  return createOpener({
    ...base,
    env: options.env,
    guard: options.tenancy?.guard,
    platform: options.platform ?? process.platform,
    home: homedir(),
    searchPath,
    resolve: async ({ definition, key }, { folder, account, signal, untimed }) => {
      const resolved = await resolver.startAs(definition, folder, account);
      const endpoint = await packaged.endpoint(definition, resolved.endpoint, { key, signal, untimed });
      return { ...resolved, endpoint };
    },
    signedIn: (definition, url, fetch, account) => signIn.fetchFor(definition, url, fetch, account),
    hideSecrets: (lines) => redactor.redactValue(lines),
    onProcess: ({ pid, startTime, marker }, server) =>
      storage.connections.putProcess({ hub, server, pid, startTime, marker }),
    onProcessEnd: ({ pid }) =>
      tasks.run('forget a process', async () => void (await storage.connections.deleteProcess(hub, pid))),
  });
}

async function openPool(base: Base, opener: SessionOpener, opened: Cleanup): Promise<Pool> {
  const { options, storage, redactor } = base;
  const pool = new Pool({
    ...base,
    store: connectionStore(storage.connections, redactor),
    opener,
    clientInfo: { name: 'plugboard', version: options.version },
    handlers: options.handlers ?? {},
    hideSecrets: (value) => redactor.redactValue(value),
  });
  opened.defer(() => pool.close());
  await pool.load();
  return pool;
}

/** Events of servers for all watchers. The catalog listens already, and is told first. */
function tellEvents({
  pool,
  redactor,
  events,
  clock,
}: Pick<Core, 'pool' | 'redactor' | 'events' | 'clock'>): void {
  pool.listen({
    onState: (server, state, event) =>
      events.send({ kind: 'server-state', server, state, ...(event ? { event } : {}) }),
    onManifest: (server, diff) => {
      redactor.keepReadable(`tools of ${server}`, toolNames(pool.manifest(server)));
      events.send({ kind: 'manifest-change', server, ...diff });
    },
    onResourceUpdate: (server, uri) => events.send({ kind: 'resource-update', server, uri }),
    onTaskStatus: (server, task, host) =>
      events.send({ kind: 'task-status', server, task, ...defined({ host }) }),
    onLog: (server, entry, host) =>
      events.send({ kind: 'server-log', server, ...entry, ...defined({ host }) }),
    onOutput: outputNotices(clock, events),
  });
}

function deferredPlanParts(parts: Parameters<typeof openPlanParts>[0], opened: Cleanup): Core['planParts'] {
  let planParts: Promise<PlanParts> | undefined;
  opened.defer(async () => (await planParts)?.outgoing.close());
  const open = async (): Promise<PlanParts> => (await import('./plans/open.ts')).openPlanParts(parts);
  return () => (planParts ??= open());
}

/** Another hub on the same database may be alive: its servers are its own. */
async function reap(base: Base): Promise<void> {
  const { storage } = base;
  for (const record of await storage.connections.listProcesses()) {
    const [pid = '', startTime = ''] = record.hub.split(':');
    if ((await startTimeOf(Number(pid))) === startTime) continue;
    await reapLeftovers([record], base);
    await storage.connections.deleteProcess(record.hub, record.pid);
  }
}

export function unknownHost(id: string): PlugError {
  return new PlugError('not_found', `No host “${id}” is attached.`, { owner: 'you' });
}
