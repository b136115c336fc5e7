import { homedir } from 'node:os';
import type { Manifest } from '../../connections/manifest.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { ServerState } from '../../connections/state.ts';
import { type ImportScan, readClients } from '../../servers/clients/scan.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { Core } from '../core.ts';
import { stateOf } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import { delimiter } from 'node:path';
import { splitPath } from '../../connections/processes/find-command.ts';
import { wellKnownFolders } from '../../connections/processes/well-known-folders.ts';
import { type PlugError, toPlugError } from '../../base/errors.ts';
import { childEnvironment } from '../../connections/processes/environment.ts';
import { isFolderName } from '../../connections/working-folder.ts';
import { type Endpoint, isLocal } from '../../servers/definition.ts';
import type { MissingValue } from '../../servers/placeholders.ts';
import { resolveEndpoint } from '../../servers/resolve-endpoint.ts';
import { readValueFile } from '../../servers/value-file.ts';
import { MASTER_KEY_VARIABLE } from '../../vault/key-variable.ts';
import { followedEntries } from '../followed-entries.ts';

/** The hub, seen from one folder. */
export interface DoctorScope {
  readonly core: Core;
  readonly workspace: Workspace;
}

/** One examination. What several checks need is found once. */
export interface Examination extends DoctorScope {
  /** Whether servers may be started, contacted and asked. */
  readonly live: boolean;
  readonly signal: AbortSignal | undefined;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** What other clients' files hold. */
  readonly clients: () => Promise<ImportScan>;
  readonly path: () => Promise<FoundPath>;
}

/** A server that is looked at. */
export interface CheckedServer {
  readonly examination: Examination;
  readonly id: string;
  readonly server: ResolvedServer;
  readonly pooled: PooledServer;
  /** As it is now: a live examination starts servers on its way. */
  readonly state: ServerState;
  readonly manifest: Manifest | undefined;
  /** Its endpoint with what can be filled in without asking anybody. */
  readonly resolved: () => Promise<ResolvedUnasked>;
}

export function openExamination(
  { core, workspace }: DoctorScope,
  { live, signal }: { readonly live: boolean; readonly signal: AbortSignal | undefined },
): Examination {
  const { env, platform = process.platform } = core.options;
  const home = homedir();
  const clients = once(() => readClients({ home, cwd: workspace.folder, env, platform }));
  const path = once(() => foundPath(core, { home, platform, live }));
  return { core, workspace, live, signal, home, platform, clients, path };
}

export function openCheckedServer(examination: Examination, server: ResolvedServer): CheckedServer {
  const { core, workspace } = examination;
  const pooled = workspace.pooled(server);
  const resolved = once(() => resolveUnasked(core, pooled));
  return {
    examination,
    id: server.definition.id,
    server,
    pooled,
    resolved,
    get state() {
      return stateOf(core, server);
    },
    get manifest() {
      return core.pool.manifest(pooled.key);
    },
  };
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= find());
}

/** Where commands are looked for. */
export interface FoundPath {
  readonly path: string;
  /** The folders of the hub's own PATH; the others were added. */
  readonly own: readonly string[];
  /** False when the login shell may know more: nobody has asked it yet, and asking starts it. */
  readonly complete: boolean;
}

/** The PATH that servers get, as far as it is known without starting a shell. */
async function foundPath(
  core: Core,
  {
    home,
    platform,
    live,
  }: { readonly home: string; readonly platform: NodeJS.Platform; readonly live: boolean },
): Promise<FoundPath> {
  const { env } = core.options;
  const own = splitPath(env['PATH'] ?? env['Path'] ?? '', platform);
  const known = live ? await core.searchPath() : core.knownSearchPath();
  if (known !== undefined) return { path: known, own, complete: true };
  const path = [...new Set([...own, ...(await wellKnownFolders(home))])].join(delimiter);
  return { path, own, complete: !env['SHELL'] };
}

type ResolvedUnasked =
  | {
      readonly kind: 'ok';
      /** Secrets in it are stand-ins. */
      readonly endpoint: Endpoint;
      /** Names of the secrets that it needs. */
      readonly secrets: readonly string[];
      /** Commands of password managers, which only a start runs. */
      readonly commands: readonly string[];
    }
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] }
  | { readonly kind: 'wrong'; readonly error: PlugError };

/** Stands for a value that is there and that nobody needs to read for this. */
const STAND_IN = 'secret';

/**
 * Fills in the placeholders of an endpoint as a start would, but opens no vault and runs no
 * command: of those it only tells whether they are there.
 */
async function resolveUnasked(core: Core, server: PooledServer): Promise<ResolvedUnasked> {
  const { vault, owner, options } = core;
  const { folder } = server;
  const names = new Set(await vault.list(owner));
  const secrets = new Set<string>();
  const commands: string[] = [];
  const secret = (name: string): string | undefined => {
    if (!names.has(name)) return undefined;
    secrets.add(name);
    return STAND_IN;
  };
  try {
    // Read anew: a file that was well at the last start and is broken now is to be told.
    const definition = await followedEntries({ ...core, home: homedir() })(server.definition);
    const resolved = await resolveEndpoint(definition, {
      env: (name) => {
        if (name === MASTER_KEY_VARIABLE) return undefined;
        return isFolderName(name) && isLocal(definition.endpoint) ? folder : options.env[name];
      },
      input: (id) => {
        const given = Object.hasOwn(definition.config, id) ? definition.config[id] : undefined;
        if (given === undefined || given === null) return secret(`${definition.id}/${id}`);
        return typeof given === 'string' ? given : JSON.stringify(given);
      },
      file: (path) => readValueFile(path),
      vault: (name) => secret(name),
      command: (line) => {
        commands.push(line);
        return STAND_IN;
      },
    });
    if (resolved.kind === 'missing') return resolved;
    checkEnvironment(core, server, resolved.endpoint);
    return { kind: 'ok', endpoint: resolved.endpoint, secrets: [...secrets], commands };
  } catch (error) {
    return { kind: 'wrong', error: toPlugError(error) };
  }
}

/** Throws for a variable that no start would let through. */
function checkEnvironment({ options }: Core, { definition }: PooledServer, endpoint: Endpoint): void {
  if (endpoint.kind !== 'stdio') return;
  const { platform = process.platform } = options;
  childEnvironment({
    hubEnv: options.env,
    declared: endpoint.env,
    path: '',
    platform,
    allowDangerousEnv: definition.allowDangerousEnv ?? [],
  });
}
