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
import type { Endpoint } from '../../servers/definition.ts';
import type { MissingValue } from '../../servers/placeholders.ts';
import { resolveEndpoint } from '../../servers/resolve-endpoint.ts';
import { followedEntries, localSources } from '../definition-resolver.ts';

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
  readonly clients: () => Promise<ImportScan>;
  readonly path: () => Promise<FoundPath>;
}

export interface CheckedServer {
  readonly examination: Examination;
  readonly id: string;
  readonly server: ResolvedServer;
  readonly pooled: PooledServer;
  /** As it is now: a live examination starts servers on its way. */
  readonly state: ServerState;
  readonly manifest: Manifest | undefined;
  /** Its endpoint, filled in without opening the vault or running a command. */
  readonly resolved: () => Promise<ResolvedUnasked>;
}

export function openExamination(
  { core, workspace }: DoctorScope,
  { live, signal }: Pick<Examination, 'live' | 'signal'>,
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

export interface FoundPath {
  readonly path: string;
  /** The folders of the hub's own PATH; the others were added. */
  readonly own: readonly string[];
  /** False when the login shell, which was not started yet, may know more. */
  readonly complete: boolean;
}

/** The PATH that servers get, as far as it is known without starting a shell. */
async function foundPath(
  core: Core,
  { home, platform, live }: Pick<Examination, 'home' | 'platform' | 'live'>,
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
      readonly secrets: readonly string[];
      /** Commands of password managers, which only a start runs. */
      readonly commands: readonly string[];
    }
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] }
  | { readonly kind: 'wrong'; readonly error: PlugError };

/** Stands for a value that exists and need not be read. */
const STAND_IN = 'secret';

/** As a start would, but opens no vault and runs no command: of those it only checks that they exist. */
async function resolveUnasked(core: Core, server: PooledServer): Promise<ResolvedUnasked> {
  const { vault, owner, options } = core;
  const names = new Set(await vault.list(owner));
  const secrets = new Set<string>();
  const commands: string[] = [];
  const secret = (name: string): string | undefined => {
    if (!names.has(name)) return undefined;
    secrets.add(name);
    return STAND_IN;
  };
  try {
    // Read again: a file may have broken since the last start.
    const definition = await followedEntries(core)(server.definition);
    const resolved = await resolveEndpoint(definition, {
      ...localSources(definition, { env: options.env, folder: server.folder, secret }),
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
  const { env: hubEnv, platform = process.platform } = options;
  const { allowDangerousEnv = [] } = definition;
  childEnvironment({ hubEnv, declared: endpoint.env, path: '', platform, allowDangerousEnv });
}
