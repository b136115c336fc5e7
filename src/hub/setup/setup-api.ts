import { toPlugError, type ErrorView } from '../../base/errors.ts';
import { connectIn, clientFilesOf, machineOf } from '../clients-api.ts';
import type { OpenChange } from '../changes/journal.ts';
import type { Core } from '../core.ts';
import type {
  ClientEdit,
  ImportOutcome,
  SetupOptions,
  SetupOutcome,
  SetupPlan,
  SetupRequest,
} from '../hub.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { Implementations } from '../operations/table.ts';
import { importIn, importsOf } from '../plans/imports-api.ts';
import type { PlannedClient } from '../setup.ts';
import type { Workspace } from '../workspace.ts';
import { firstCall } from './first-call.ts';

export function setupOf(core: Core, workspace: Workspace): Pick<Implementations, 'setup'> {
  return {
    setup: {
      plan: () => planSetup(core, workspace),
      run: (request, options) => runSetup(core, workspace, request, options),
    },
  };
}

/** Looks, and changes nothing. */
async function planSetup(core: Core, workspace: Workspace): Promise<SetupPlan> {
  const [preview, files] = await Promise.all([importsOf(core, workspace).scan({}, {}), clientFilesOf(core)]);
  const machine = machineOf(core, workspace);
  // Others can write a project's file: its entries are imported by name, not with everything else.
  const own = preview.found.filter(({ scope }) => scope !== 'project' && scope !== 'devcontainer');
  const { clock, ids } = core;
  const clients = await Promise.all(
    (await files.used(machine)).map(async (used): Promise<PlannedClient> => {
      try {
        const edit = await files.connect(used.client, files.gateway, { machine, clock, ids });
        return { ...used, file: edit.file, edit };
      } catch (error) {
        return { ...used, error: toPlugError(error).toView() };
      }
    }),
  );
  return {
    found: own.filter(({ skipped }) => skipped === undefined),
    skipped: own.filter(({ skipped }) => skipped !== undefined),
    problems: preview.problems,
    clients,
  };
}

async function runSetup(
  core: Core,
  workspace: Workspace,
  request: SetupRequest,
  { signal, onProgress }: SetupOptions,
): Promise<SetupOutcome> {
  const tell = (text: string): void => onProgress?.({ text });
  const { clients, timeoutMs = core.limits.setupWaitMs } = request;
  const change = await core.changes.begin({ kind: 'setup', names: clients });
  let done: Changed;
  try {
    done = await makeChanges(core, workspace, request, { change, tell });
  } finally {
    await change.finish();
  }
  const ids = workspace.servers
    .filter(({ definition }) => definition.enabled)
    .map(({ definition }) => definition.id);
  tell(`Starting ${ids.length} servers`);
  const { servers } = await lifecycleOf(core, workspace).waitUntilReady(
    { ids, timeoutMs },
    {
      ...(signal ? { signal } : {}),
      onProgress: ({ ready, total, server, state }) =>
        tell(`${ready}/${total} ready; ${server} is ${state.kind}`),
    },
  );
  tell('Making one read-only call');
  const call = await firstCall(core, workspace, servers, signal);
  const isKept = (await core.changes.list()).some(({ id }) => id === change.id);
  return { ...(isKept ? { change: change.id } : {}), ...done, servers, call };
}

type Changed = Pick<SetupOutcome, 'imported' | 'skipped' | 'failed' | 'connected' | 'unconnected'>;

async function makeChanges(
  core: Core,
  workspace: Workspace,
  { pick, clients }: SetupRequest,
  { change, tell }: { readonly change: OpenChange; readonly tell: (text: string) => void },
): Promise<Changed> {
  if (pick.length > 0) tell(`Importing ${pick.length} servers`);
  const none: ImportOutcome = { imported: [], skipped: [], failed: [], problems: [] };
  const { imported, skipped, failed } =
    pick.length === 0 ? none : await importIn(core, workspace, { pick }, change);
  const connected: ClientEdit[] = [];
  const unconnected: { client: string; error: ErrorView }[] = [];
  for (const client of clients) {
    tell(`Connecting ${client}`);
    try {
      const edit = await connectIn(core, workspace, change, { client });
      if (edit.changed) connected.push(edit);
    } catch (error) {
      unconnected.push({ client, error: toPlugError(error).toView() });
    }
  }
  return { imported, skipped, failed, connected, unconnected };
}
