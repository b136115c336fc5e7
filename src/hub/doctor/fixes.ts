import { chmod } from 'node:fs/promises';
import { messageOf, PlugError } from '../../base/errors.ts';
import { findCommand } from '../../connections/processes/find-command.ts';
import { reapLeftovers } from '../../connections/processes/reap.ts';
import { wellKnownFolders } from '../../connections/processes/well-known-folders.ts';
import { startFolder } from '../../connections/working-folder.ts';
import type { FixOutcome } from '../hub.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { findOrphans } from './orphans-check.ts';
import { exposedFiles } from './storage-check.ts';
import { openCheckedServer, openExamination, type DoctorScope } from './checked-server.ts';
import { count } from './rows.ts';

type Fix = (place: DoctorScope, what: string) => Promise<string>;

/**
 * What can be done without anybody else. Each looks again before it acts: time has passed since
 * the report, and an id may be made up.
 */
const FIXES: Readonly<Record<string, Fix | undefined>> = {
  'end-orphans': endOrphans,
  'tighten-files': tightenFiles,
  'reload-config': async ({ workspace }) => {
    const { added, removed, changed } = await workspace.reload();
    return `Read again: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`;
  },
  restart: restartServer,
  'pin-runtime': pinRuntime,
};

/** One after the other; one that fails does not keep the others from being done. */
export async function carryOut(place: DoctorScope, ids: readonly string[]): Promise<readonly FixOutcome[]> {
  const outcomes: FixOutcome[] = [];
  for (const id of new Set(ids)) {
    const [kind = '', what = ''] = id.split(/:(.*)/s);
    const fix = Object.hasOwn(FIXES, kind) ? FIXES[kind] : undefined;
    try {
      if (!fix) throw new PlugError('not_found', `There is no fix “${id.slice(0, 80)}”.`, { owner: 'you' });
      outcomes.push({ id, done: true, says: await fix(place, what) });
    } catch (error) {
      outcomes.push({ id, done: false, says: messageOf(error) });
    }
  }
  return outcomes;
}

async function endOrphans({ core }: DoctorScope): Promise<string> {
  const orphans = await findOrphans(core);
  if (orphans.length === 0) return 'None was left.';
  const records = orphans.map(({ record }) => record);
  const outcomes = await reapLeftovers(records, core);
  for (const { hub, pid } of records) await core.storage.connections.deleteProcess(hub, pid);
  const ended = outcomes.filter(({ outcome }) => outcome === 'ended').length;
  return `${count(ended, 'process tree')} ended.`;
}

async function tightenFiles({ core }: DoctorScope): Promise<string> {
  const files = await exposedFiles(core.options.paths);
  for (const file of files) await chmod(file, 0o600);
  return `${count(files.length, 'file')} made private.`;
}

async function restartServer({ core, workspace }: DoctorScope, id: string): Promise<string> {
  const checked = openCheckedServer(
    openExamination({ core, workspace }, { live: false, signal: undefined }),
    workspace.resolved(id),
  );
  if (checked.state.kind === 'ready') return `${id} runs already.`;
  const { state } = await lifecycleOf(core, workspace).restart({ id }, {});
  return `${id} is ${state.kind}.`;
}

/** Writes the whole path of the command into a definition of ours. A file of the user's is not changed. */
async function pinRuntime({ core, workspace }: DoctorScope, id: string): Promise<string> {
  const { definition } = workspace.resolved(id);
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio' || endpoint.command.includes('/')) {
    throw new PlugError('usage', `${id} has no command that could be pinned.`, { owner: 'you' });
  }
  if (definition.source.kind === 'file' || definition.follow !== undefined) {
    throw new PlugError('usage', `${id} is defined in a file of yours, which we do not change.`, {
      owner: 'you',
    });
  }
  const examination = openExamination({ core, workspace }, { live: false, signal: undefined });
  const { home, platform } = examination;
  const folders = await wellKnownFolders(home);
  const cwd = startFolder(endpoint.cwd, undefined, workspace.pooled(workspace.resolved(id)).folder);
  const command = await findCommand({
    command: endpoint.command,
    cwd,
    path: folders.join(':'),
    home,
    platform,
  });
  const stored =
    (await core.storage.servers.listServers(core.owner)).find((one) => one.id === id) ?? definition;
  await core.storage.servers.putServer(core.owner, { ...stored, endpoint: { ...endpoint, command } });
  await workspace.changed();
  return `The command of ${id} is ${command} now.`;
}
