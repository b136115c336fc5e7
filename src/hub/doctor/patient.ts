import { homedir } from 'node:os';
import type { Manifest } from '../../connections/manifest.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { ServerState } from '../../connections/state.ts';
import { readClients, type ImportScan } from '../../servers/clients/scan.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { Core } from '../core.ts';
import { stateOf } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import { foundPath, type FoundPath } from './search-path.ts';
import { resolveUnasked, type ResolvedUnasked } from './resolve-unasked.ts';

/** The hub, seen from one folder. */
export interface Place {
  readonly core: Core;
  readonly workspace: Workspace;
}

/** One examination. What several checks need is found once. */
export interface Visit extends Place {
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
export interface Patient {
  readonly visit: Visit;
  readonly id: string;
  readonly server: ResolvedServer;
  readonly pooled: PooledServer;
  /** As it is now: a live examination starts servers on its way. */
  readonly state: ServerState;
  readonly manifest: Manifest | undefined;
  /** Its endpoint with what can be filled in without asking anybody. */
  readonly resolved: () => Promise<ResolvedUnasked>;
}

export function openVisit(
  { core, workspace }: Place,
  { live, signal }: { readonly live: boolean; readonly signal: AbortSignal | undefined },
): Visit {
  const { env, platform = process.platform } = core.options;
  const home = homedir();
  const clients = once(() => readClients({ home, cwd: workspace.folder, env, platform }));
  const path = once(() => foundPath(core, { home, platform, live }));
  return { core, workspace, live, signal, home, platform, clients, path };
}

export function openPatient(visit: Visit, server: ResolvedServer): Patient {
  const { core, workspace } = visit;
  const pooled = workspace.pooled(server);
  const resolved = once(() => resolveUnasked(core, pooled));
  return {
    visit,
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
