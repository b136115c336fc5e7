import { ignore, PlugError } from '../base/errors.ts';
import type { EventActor, ServerState } from '../connections/state.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import type { Core } from './core.ts';
import { explained } from './explained.ts';
import type { ServerList, ServerView } from './hub.ts';
import type { OptionsOf } from './operations/operation.ts';
import type { Implementations, operations } from './operations/table.ts';
import { listView, stateOf, viewOf } from './views.ts';
import { blocked, serverKey, type Workspace } from './workspace.ts';
import { timeoutSignal } from '../base/clock.ts';

/** Every operation may be repeated: it says what is wanted, not what to toggle. */
export function lifecycleOf(core: Core, workspace: Workspace) {
  const { pool, tasks } = core;
  const view = (id: string): Promise<ServerView> => viewOf(core, workspace.resolved(id));
  const enabled = (): readonly string[] =>
    workspace.servers.filter((server) => !blocked(server)).map(({ definition }) => definition.id);
  const start = async (id: string, signal?: AbortSignal, by: EventActor = 'USER'): Promise<void> => {
    const { key, definition } = workspace.usable(id);
    const connection = await pool.connection(key);
    await explained(definition, connection.start(by, signal));
  };
  const restart = async (id: string, signal?: AbortSignal): Promise<ServerView> => {
    const { key, definition } = workspace.usable(id);
    const connection = await pool.connection(key);
    await explained(definition, connection.restart('USER', signal));
    return view(id);
  };
  return {
    start: async ({ id }, { signal }) => {
      await start(id, signal);
      return view(id);
    },
    stop: async ({ id }) => {
      const key = serverKey(workspace.resolved(id).definition);
      await pool.stop(key, 'Stopped. It starts again on first use.', 'USER');
      return view(id);
    },
    restart: ({ id }, { signal }) => restart(id, signal),
    reconnect: ({ id }, { signal }) => restart(id, signal),
    restartFailed: async () => {
      const failed = enabled().filter((id) => stateOf(core, workspace.resolved(id)).kind === 'failed');
      await Promise.allSettled(failed.map((id) => restart(id)));
      return failed;
    },
    stopAll: async () => {
      const keys = await pool.stopAll('Stopped. It starts again on first use.', 'USER');
      return keys.map((key) => workspace.idOf(key) ?? key);
    },
    ensureStarted: ({ ids = enabled() }) => {
      const wanted = ids.map((id) => workspace.usable(id).definition.id);
      for (const id of wanted) {
        // Hosts ask for this whenever they connect, so it must not close a breaker.
        tasks.run('start a server', async (signal) =>
          ignore(start(id, signal, 'SYSTEM'), 'a failed start is already the state'),
        );
      }
      return Promise.resolve(wanted);
    },
    waitUntilReady: ({ ids = enabled(), timeoutMs = core.limits.startTimeoutMs }, options) =>
      waitUntilReady(core, workspace, start, { ids, timeoutMs, ...options }),
  } satisfies Partial<Implementations['servers']>;
}

export type Lifecycle = ReturnType<typeof lifecycleOf>;

async function waitUntilReady(
  core: Core,
  workspace: Workspace,
  start: (id: string, signal?: AbortSignal) => Promise<void>,
  options: OptionsOf<typeof operations.servers.waitUntilReady> & {
    readonly ids: readonly string[];
    readonly timeoutMs: number;
  },
): Promise<ServerList> {
  const { ids, onProgress, signal, timeoutMs } = options;
  const deadline = timeoutSignal(timeoutMs);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const usable = ids.map((id) => workspace.usable(id).definition.id);
  let ready = 0;
  await Promise.all(
    usable.map(async (id) => {
      await Promise.allSettled([start(id, until)]); // how it went is the state
      const state = await settledState(core, workspace.resolved(id), until);
      if (state.kind === 'ready' || state.kind === 'degraded') ready += 1;
      onProgress?.({ ready, total: usable.length, server: id, state });
    }),
  );
  if (signal?.aborted) throw new PlugError('cancelled', 'The wait was canceled.', { owner: 'you' });
  return listView(core, workspace);
}

/** A server that crashed may be on its way back: it has an outcome once it no longer starts. */
async function settledState(core: Core, server: ResolvedServer, until: AbortSignal): Promise<ServerState> {
  const changes = core.events.read({ signal: until });
  let state = stateOf(core, server);
  while (state.kind === 'starting' && !(await changes.next()).done) state = stateOf(core, server);
  await changes.return?.();
  return state;
}
