import { chmod, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { messageOf, PlugError } from '../../base/errors.ts';
import { findCommand } from '../../connections/processes/find-command.ts';
import { reapLeftovers } from '../../connections/processes/reap.ts';
import { wellKnownFolders } from '../../connections/processes/well-known-folders.ts';
import { startFolder } from '../../connections/working-folder.ts';
import type { FixOutcome } from '../hub.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { stateOf } from '../views.ts';
import { findOrphans } from './machine.ts';
import { installAgain } from './packages-check.ts';
import { exposedFiles } from './storage-check.ts';
import type { DoctorScope } from './checked-server.ts';
import { count } from './rows.ts';

type Fix = (place: DoctorScope, what: string) => Promise<string>;

/** Each looks again before it acts: time has passed since the report, and an id may be made up. */
const FIXES: Readonly<Record<string, Fix | undefined>> = {
  'end-orphans': endOrphans,
  'tighten-files': tightenFiles,
  'reload-config': async ({ workspace }) => {
    const { added, removed, changed } = await workspace.reload();
    return `Read again: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`;
  },
  restart: restartServer,
  'pin-runtime': pinRuntime,
  'install-again': installAgain,
};

/** One after the other; a failure does not stop the rest. */
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
  for (const file of files) await chmod(file, (await stat(file)).isDirectory() ? 0o700 : 0o600);
  return `${count(files.length, 'file or folder', 'files or folders')} made private.`;
}

async function restartServer({ core, workspace }: DoctorScope, id: string): Promise<string> {
  if (stateOf(core, workspace.resolved(id)).kind === 'ready') return `${id} runs already.`;
  const { state } = await lifecycleOf(core, workspace).restart({ id }, {});
  return `${id} is ${state.kind}.`;
}

/** Writes the whole path of the command into a definition of ours, never into a file of the user's. */
async function pinRuntime({ core, workspace }: DoctorScope, id: string): Promise<string> {
  const { definition } = workspace.resolved(id);
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio' || endpoint.command.includes('/')) {
    throw new PlugError('usage', `${id} has no command that could be pinned.`, { owner: 'you' });
  }
  if (definition.source.kind === 'file' || definition.follow !== undefined) {
    const why = `${id} is defined in your own file, which Plugboard doesn’t change.`;
    throw new PlugError('usage', why, { owner: 'you' });
  }
  const { platform = process.platform } = core.options;
  const home = homedir();
  const path = (await wellKnownFolders(home)).join(':');
  const cwd = startFolder(endpoint.cwd, undefined, workspace.pooled(workspace.resolved(id)).folder);
  const command = await findCommand({ command: endpoint.command, cwd, path, home, platform });
  const stored = await core.storage.servers.listServers(core.owner);
  const before = stored.find((one) => one.id === id) ?? definition;
  await core.storage.servers.putServer(core.owner, { ...before, endpoint: { ...endpoint, command } });
  await workspace.changed();
  return `The command of ${id} is ${command} now.`;
}
