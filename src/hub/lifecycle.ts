import { ignore, toPlugError } from '../base/errors.ts';
import type { Core } from './core.ts';
import type { ServersApi, ServerView, WaitUntilReadyOptions } from './hub.ts';
import { listView, stateOf, viewOf } from './views.ts';
import { blocked, keyOf, type Workspace } from './workspace.ts';

export type Lifecycle = Pick<
  ServersApi,
  | 'start'
  | 'stop'
  | 'restart'
  | 'reconnect'
  | 'restartFailed'
  | 'stopAll'
  | 'ensureStarted'
  | 'waitUntilReady'
>;

/** Starting and stopping. Every operation may be repeated: it says what is wanted, not what to toggle. */
export function lifecycleOf(core: Core, workspace: Workspace): Lifecycle {
  const { pool, tasks } = core;
  const view = (id: string): Promise<ServerView> => viewOf(core, workspace.resolved(id));
  const enabled = (): readonly string[] =>
    workspace.servers.filter((server) => !blocked(server)).map(({ definition }) => definition.id);
  const start = async (id: string, signal?: AbortSignal): Promise<void> => {
    const connection = await pool.connection(workspace.usable(id).key);
    await connection.start('USER', signal);
  };
  const restart = async (id: string, signal?: AbortSignal): Promise<void> => {
    const connection = await pool.connection(workspace.usable(id).key);
    await connection.restart('USER', signal);
  };
  return {
    start: async (id, { signal } = {}) => {
      await start(id, signal);
      return view(id);
    },
    stop: async (id) => {
      await pool.stop(
        keyOf(workspace.resolved(id).definition),
        'Stopped; it starts again on first use.',
        'USER',
      );
      return view(id);
    },
    restart: async (id, { signal } = {}) => {
      await restart(id, signal);
      return view(id);
    },
    reconnect: async (id, { signal } = {}) => {
      await restart(id, signal);
      return view(id);
    },
    restartFailed: async () => {
      const failed = enabled().filter((id) => stateOf(core, workspace.resolved(id)).kind === 'failed');
      await Promise.allSettled(failed.map((id) => restart(id)));
      return failed;
    },
    stopAll: async () => {
      const keys = await pool.stopAll('Stopped; it starts again on first use.', 'USER');
      return keys.map((key) => workspace.idOf(key) ?? key);
    },
    ensureStarted: (ids = enabled()) => {
      const wanted = ids.map((id) => workspace.usable(id).definition.id);
      for (const id of wanted) {
        tasks.run('start a server', async () => ignore(start(id), 'a failed start is already the state'));
      }
      return Promise.resolve(wanted);
    },
    waitUntilReady: (options = {}) => waitUntilReady(core, workspace, start, { ids: enabled(), ...options }),
  };
}

async function waitUntilReady(
  core: Core,
  workspace: Workspace,
  start: (id: string, signal?: AbortSignal) => Promise<void>,
  options: WaitUntilReadyOptions & { readonly ids: readonly string[] },
): ReturnType<ServersApi['waitUntilReady']> {
  const { ids, onProgress, signal, timeoutMs = core.limits.startTimeoutMs } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const usable = ids.map((id) => workspace.usable(id).definition.id);
  let ready = 0;
  await Promise.all(
    usable.map(async (id) => {
      const outcome = await start(id, until).then(
        () => true,
        (error: unknown) => toPlugError(error).code === 'cancelled' && signal?.aborted === true,
      );
      const state = stateOf(core, workspace.resolved(id));
      if (outcome && (state.kind === 'ready' || state.kind === 'degraded')) ready += 1;
      onProgress?.({ ready, total: usable.length, server: id, state });
    }),
  );
  signal?.throwIfAborted();
  return listView(core, workspace);
}
