import { Cleanup } from '../base/cleanup.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Broadcast } from '../base/broadcast.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { messageOf, PlugError } from '../base/errors.ts';
import { systemIds, type Ids } from '../base/ids.ts';
import { limits as defaultLimits, type Limits } from '../base/limits.ts';
import { silentLogger, type Logger } from '../base/logger.ts';
import type { Paths } from '../base/paths.ts';
import { redactedLogger } from '../base/redacted-logger.ts';
import { TaskGroup } from '../base/tasks.ts';
import type { HostHandlers } from '../connections/host.ts';
import { createOpener } from '../connections/open-session.ts';
import { Pool, type Host } from '../connections/pool.ts';
import { commandRunner } from '../connections/processes/run-command.ts';
import { LoginPath } from '../connections/processes/login-path.ts';
import { startTimeOf } from '../connections/processes/process-table.ts';
import { reapLeftovers } from '../connections/processes/reap.ts';
import { isFolderName } from '../connections/working-folder.ts';
import { isLocal, type Endpoint, type ServerDefinition } from '../servers/definition.ts';
import { missingInput } from '../servers/placeholders.ts';
import { resolveEndpoint } from '../servers/resolve-endpoint.ts';
import { readValueFile } from '../servers/value-file.ts';
import { openStorage, type Storage, type StorageOptions } from '../storage/open.ts';
import { Accounts } from '../vault/accounts.ts';
import type { RunCommand } from '../vault/command-reference.ts';
import { MASTER_KEY_VARIABLE } from '../vault/key-variable.ts';
import { systemKeyring } from '../vault/keyring.ts';
import { isLockedVault } from '../vault/locked.ts';
import { resolveReference } from '../vault/references.ts';
import { SealedVault } from '../vault/sealed-vault.ts';
import type { Vault } from '../vault/vault.ts';
import type { Approval, ApprovalAnswer } from '../policy/approval.ts';
import type { AddingParts } from './adding/open.ts';
import { PackageIntegrity } from './adding/package-integrity.ts';
import type { Agent } from './agent.ts';
import type { Hub, HubEvent } from './hub.ts';
import { openDeciding, type Deciding } from './deciding/open.ts';
import { followedEntries } from './followed-entries.ts';
import { openRedaction, type Redaction } from './redaction.ts';
import { redactedStore } from './redacted-store.ts';
import { checkRemoteOnly } from './remote-only.ts';
import { SettingsFile } from './settings-file.ts';
import { SignInService } from './sign-in-service.ts';
import { unwrittenTrials } from './trial-key.ts';
import { Trials } from './trials.ts';

export interface HubOptions {
  readonly paths: Paths;
  /** The project: its mcp.json counts. Local servers start here that name no folder of their own. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly platform?: NodeJS.Platform;
  /** Default: SQLite in the data folder. */
  readonly storage?: StorageOptions;
  /** Answers servers that ask their host something, on behalf of whoever owns this hub. */
  readonly handlers?: HostHandlers;
  /**
   * Answers calls that need an approval, on behalf of whoever owns this hub; without it such calls
   * fail and say how to grant them.
   */
  readonly approve?: (approval: Approval) => Promise<Omit<ApprovalAnswer, 'argsHash'>>;
  /** Talks to models on behalf of a hub's face; loaded when somebody chats. */
  readonly openAgent?: (hub: Hub) => Promise<Agent>;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly limits?: Partial<Limits>;
}

/** What all workspaces of a hub share. */
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
  /** Takes secrets out of whatever leaves the hub. */
  readonly redactor: Redaction;
  readonly pool: Pool;
  /** Catalog, policy and the one path of a call. */
  readonly deciding: Deciding;
  readonly tasks: TaskGroup;
  readonly settings: SettingsFile;
  /** Servers that are tried out before anything is saved. */
  readonly trials: Trials;
  /** Events carry keys; each workspace shows them under its own ids. */
  readonly events: Broadcast<HubEvent>;
  readonly hosts: Map<string, Host>;
  /** Sign-ins that wait for an address pasted by hand. */
  readonly pastes: Map<string, (address: string) => void>;
  /** What finding and adding servers needs; loaded when somebody does. */
  readonly adding: () => Promise<AddingParts>;
  /** The PATH of the user's terminal. */
  readonly searchPath: () => Promise<string>;
  /** The same when somebody has asked for it before; asks nothing. */
  readonly knownSearchPath: () => string | undefined;
  readonly startedAt: number;
}

/** A single user has one owner of all rows; teams come with their own. */
const OWNER = 'local';

/** Puts the parts together. This is the only place that knows all of them. */
export async function openCore(options: HubOptions): Promise<Core> {
  const { clock = systemClock, ids = systemIds, platform = process.platform } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const redactor = openRedaction(limits, options.env);
  const logger = redactedLogger(options.logger ?? silentLogger, redactor);
  await using half = new Cleanup();
  const storage = half.use(await openStorage(options.storage ?? storageFrom(options)));
  const tasks = new TaskGroup(logger);
  half.defer(() => tasks.close());
  const vault = openVault(options, { storage, tasks, redactor, clock, ids, limits });
  const accounts = new Accounts({ store: storage.accounts, secrets: vault, clock, limits });
  const trials = new Trials({ clock, limits, redactText: (text) => redactor.redactText(text) });
  const settings = await SettingsFile.open({
    folder: options.paths.config,
    ids,
    limits,
    onProblem: (error) => logger.warn('the settings were left out', { error: messageOf(error) }),
  });
  const currentOf = followedEntries({ clock, home: homedir(), redactor });
  const login = new LoginPath({ hubEnv: options.env, home: homedir(), platform, clock, ids, limits });
  const searchPath = (): Promise<string> => login.get();
  const runCommand = commandRunner({ hubEnv: options.env, platform, searchPath, clock, limits });
  const resolveDefinition = async (definition: ServerDefinition, folder = options.cwd): Promise<Endpoint> => {
    const current = await currentOf(definition);
    checkRemoteOnly({ options }, current);
    const lent = (name: string): string | undefined => trials.lent(definition, name)?.reveal();
    return resolve(current, { ...options, vault, redactor, runCommand, folder, lent });
  };
  const integrity = new PackageIntegrity({ options, clock, ids, limits, logger, searchPath });
  half.defer(() => integrity.close());
  const signIn = new SignInService({
    owner: OWNER,
    vault,
    accounts,
    clock,
    ids,
    limits,
    env: options.env,
    resolve: (definition) => resolveDefinition(definition),
  });
  half.defer(() => signIn.close());
  const events = new Broadcast<HubEvent>(limits.watchQueueMax);
  half.defer(() => events.close());
  const hub = `${process.pid}:${await startTimeOf(process.pid)}`;
  const opener = createOpener({
    clock,
    ids,
    limits,
    env: options.env,
    platform,
    home: homedir(),
    searchPath,
    resolve: async (definition, folder) => {
      const endpoint = await resolveDefinition(definition, folder);
      await integrity.check(definition, endpoint);
      return endpoint;
    },
    signedIn: (definition, url, fetch, account) => signIn.fetchFor(definition, url, fetch, account),
    hideSecrets: (text) => redactor.redactText(text),
    onProcess: ({ pid, startTime, marker }, server) =>
      storage.connections.putProcess({ hub, server, pid, startTime, marker }),
    onProcessEnd: ({ pid }) =>
      tasks.run('forget a process', async () => void (await storage.connections.deleteProcess(hub, pid))),
  });
  let deciding: Deciding | undefined;
  const pool = new Pool({
    owner: OWNER,
    store: unwrittenTrials(redactedStore(storage.connections, redactor)),
    opener: trials.watched(opener),
    clientInfo: { name: 'plugboard', version: options.version },
    handlers: options.handlers ?? {},
    clock,
    ids,
    limits,
    logger,
    tasks,
    events: {
      onState: (server, state, event) =>
        events.send({ kind: 'server-state', server, state, ...(event ? { event } : {}) }),
      onManifest: (server, diff) => {
        deciding?.known.changed(server, diff);
        events.send({ kind: 'manifest-change', server, ...diff });
      },
      onResourceUpdate: (server, uri) => events.send({ kind: 'resource-update', server, uri }),
      onLog: (server, entry) => events.send({ kind: 'server-log', server, ...entry }),
    },
  });
  half.defer(() => pool.close());
  await pool.load();
  tasks.run('reap what a crashed hub left behind', () => reap(storage, { clock, limits }));
  const parts = { options, owner: OWNER, clock, ids, limits, logger, storage, redactor, pool, tasks, events };
  deciding = await openDeciding({ ...parts, settings, half });
  let adding: Promise<AddingParts> | undefined;
  half.defer(async () => (await adding)?.outgoing.close());
  const whole = half.move();
  const core = {
    options,
    owner: OWNER,
    clock,
    ids,
    limits,
    logger,
    storage,
    vault,
    accounts,
    signIn,
    redactor,
    pool,
    deciding,
    tasks,
    settings,
    trials,
    events,
    hosts: new Map(),
    pastes: new Map(),
    searchPath,
    knownSearchPath: () => login.known,
    startedAt: clock.now(),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
  const openParts = async (): Promise<AddingParts> => (await import('./adding/open.ts')).openAdding(core);
  return { ...core, adding: () => (adding ??= openParts()) };
}

/** SQLite in the data folder, unless `PLUG_DATABASE_URL` names a PostgreSQL database. */
function storageFrom({ env, paths }: HubOptions): StorageOptions {
  const url = env['PLUG_DATABASE_URL'];
  if (!url) return { kind: 'sqlite', file: join(paths.data, 'plugboard.db') };
  if (/^postgres(ql)?:\/\//.test(url)) return { kind: 'postgres', url };
  throw new PlugError('usage', 'PLUG_DATABASE_URL does not start with postgres:// or postgresql://.', {
    owner: 'you',
    next: 'Unset PLUG_DATABASE_URL to use the embedded database.',
  });
}

/** Nothing is asked of the keyring before the first secret is kept or needed. */
function openVault(
  { env, paths }: HubOptions,
  parts: Pick<Core, 'storage' | 'tasks' | 'redactor' | 'clock' | 'ids' | 'limits'>,
): SealedVault {
  const { storage, tasks, redactor, clock, ids, limits } = parts;
  const keyring = env['PLUG_NO_KEYRING'] ? undefined : systemKeyring({ clock, limits });
  const sources = { keyring, env, folder: join(paths.data, 'vault'), clock, ids, limits };
  const vault = new SealedVault({ store: storage.vault, sources, tasks, redactor });
  vault.resume();
  return vault;
}

/**
 * A definition that came from elsewhere may name its own secrets, not those of another server:
 * whoever wrote it would receive them. Files are the user's own word.
 */
export function mayAskFor({ id, source }: ServerDefinition, name: string): boolean {
  const own = source.kind === 'file' || source.kind === 'import';
  return own || !name.includes('/') || name.startsWith(`${id}/`);
}

async function resolve(
  definition: ServerDefinition,
  options: HubOptions & {
    readonly vault: Vault;
    readonly redactor: Redaction;
    readonly runCommand: RunCommand;
    /** Where whoever uses the server works. */
    readonly folder: string;
    /** What is given for this start alone, by its name in the vault. */
    readonly lent: (name: string) => string | undefined;
  },
): Promise<Endpoint> {
  const { vault, redactor, runCommand, folder, lent } = options;
  let locked: PlugError | undefined;
  const secret = async (name: string): Promise<string | undefined> => {
    try {
      return lent(name) ?? (await vault.get(OWNER, name))?.reveal();
    } catch (error) {
      // No value is missing then: to put one in would be the wrong advice.
      if (error instanceof PlugError && isLockedVault(error)) locked = error;
      throw error;
    }
  };
  const resolved = await resolveEndpoint(
    definition.endpoint,
    {
      env: (name) => {
        // The key of the vault is nobody's to ask for.
        if (name === MASTER_KEY_VARIABLE) return undefined;
        return isFolderName(name) && isLocal(definition.endpoint) ? folder : options.env[name];
      },
      input: async (id) => {
        const given = Object.hasOwn(definition.config, id) ? definition.config[id] : undefined;
        return given === undefined || given === null ? secret(`${definition.id}/${id}`) : textOf(given);
      },
      file: (path) => readValueFile(path),
      vault: (name) => (mayAskFor(definition, name) ? secret(name) : undefined),
      command: async (line) => {
        const sources = { vault, owner: OWNER, env: options.env, runCommand, redactor };
        return (await resolveReference({ kind: 'command', line }, sources))?.reveal();
      },
    },
    definition.source,
  );
  if (locked !== undefined) throw locked;
  if (resolved.kind === 'missing') throw missingInput(definition.id, resolved.missing);
  for (const secret of resolved.secrets) redactor.learn(secret);
  return resolved.endpoint;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Another hub on the same database may be alive and well: its servers are its own. */
async function reap(
  storage: Storage,
  options: { readonly clock: Clock; readonly limits: Limits },
): Promise<void> {
  for (const record of await storage.connections.listProcesses()) {
    const [pid = '', startTime = ''] = record.hub.split(':');
    if ((await startTimeOf(Number(pid))) === startTime) continue;
    await reapLeftovers([record], options);
    await storage.connections.deleteProcess(record.hub, record.pid);
  }
}

export function unknownHost(id: string): PlugError {
  return new PlugError('not_found', `No host “${id}” is attached.`, { owner: 'you' });
}
