import { hash } from 'node:crypto';
import { PlugError } from '../../base/errors.ts';
import type { ChangeView, UndoneFile, UndoOutcome } from '../changes.ts';
import { clientFilesOf } from '../clients-api.ts';
import type { Core } from '../core.ts';
import type { UndoRequest } from '../hub.ts';
import type { Workspace } from '../workspace.ts';
import type { Change, FilePart } from './change.ts';
import { keptBytes } from './kept-values.ts';
import { planServerUndo, type ServerUndo } from './undo-servers.ts';
import { changeView } from './view.ts';

/** Undoes the last change: all of it, or nothing where somebody changed the same things since. */
export async function undoLast(
  core: Core,
  workspace: Workspace,
  { change: wanted, force = false, dryRun = false }: UndoRequest,
): Promise<UndoOutcome> {
  const { changes } = core;
  for (const change of await changes.list()) {
    const left = (await changes.list()).length - 1;
    const planned = await planUndo(core, workspace, change, force);
    const view = changeView(change);
    if (planned.isNothing && !changes.isRunning(change.id)) {
      // It was cut off before it did anything, or is as it was already: only copies may lie about.
      if (!dryRun) {
        await restoreFiles(core, change, false);
        await changes.forget(change);
      }
      if (wanted === undefined) continue;
    }
    if (wanted !== undefined && wanted !== change.id) throw anotherChange(view);
    if (changes.isRunning(change.id)) throw underWay(view);
    if (dryRun) return { change: view, done: false, ...planned.views, left };
    if (planned.conflicts && !force) throw conflicting(view, planned.views);
    const files = await apply(core, workspace, change, planned, force);
    await changes.forget(change);
    return { change: view, done: true, ...planned.views, files, left };
  }
  return { done: false, files: [], servers: [], todo: [], left: 0 };
}

interface PlannedUndo {
  readonly views: Pick<UndoOutcome, 'files' | 'servers' | 'todo'>;
  readonly servers: readonly ServerUndo[];
  readonly conflicts: boolean;
  readonly isNothing: boolean;
}

async function planUndo(
  core: Core,
  workspace: Workspace,
  change: Change,
  force: boolean,
): Promise<PlannedUndo> {
  const files: UndoneFile[] = [];
  // The last written first.
  for (const part of change.files.toReversed())
    files.push(await restoreFile(core, part, { force: false, dryRun: true }));
  const servers: ServerUndo[] = [];
  for (const part of change.servers) servers.push(await planServerUndo(core, workspace, change, part));
  const views = {
    files,
    servers: servers.map(({ view }) => view).filter(({ outcome }) => outcome !== 'same'),
    todo: servers.flatMap(({ todo }) => todo),
  };
  const outcomes = [...files, ...servers.map(({ view }) => view)].map(({ outcome }) => outcome);
  const hostsMoved = change.hosts.some(({ before, after }) => before?.digest !== after?.digest);
  return {
    views,
    servers,
    conflicts: !force && outcomes.includes('conflict'),
    isNothing: outcomes.every((outcome) => outcome === 'same') && views.todo.length === 0 && !hostsMoved,
  };
}

async function apply(
  core: Core,
  workspace: Workspace,
  change: Change,
  planned: PlannedUndo,
  force: boolean,
): Promise<readonly UndoneFile[]> {
  const files = await restoreFiles(core, change, force);
  const { hostTokens } = core.decisions;
  for (const { name, before } of change.hosts) {
    await hostTokens.revoke(name);
    if (before) await hostTokens.putBack(before);
  }
  for (const undo of planned.servers) await undo.apply();
  if (planned.servers.length > 0) {
    await workspace.changed();
    // One that runs has its old keys and its old definition: the next call starts it as it was.
    for (const { id } of change.servers)
      if (workspace.knows(id)) await core.pool.stop(id, 'A change was undone.', 'USER');
  }
  return files;
}

/** The last written first. */
async function restoreFiles(core: Core, change: Change, force: boolean): Promise<readonly UndoneFile[]> {
  const files: UndoneFile[] = [];
  for (const part of change.files.toReversed())
    files.push(await restoreFile(core, part, { force, dryRun: false }));
  return files;
}

async function restoreFile(
  core: Core,
  part: FilePart,
  how: { readonly force: boolean; readonly dryRun: boolean },
): Promise<UndoneFile> {
  const { clock, ids } = core;
  const before = part.before && (await keptBytes(core, part.before.kept));
  if (part.before && (!before || hash('sha256', before) !== part.before.hash)) {
    const why = 'The copy of it in the vault is gone.';
    return { client: part.client, path: part.path, outcome: 'conflict', why };
  }
  return await (await clientFilesOf(core)).restore(part, { ...how, before, clock, ids });
}

function conflicting(view: ChangeView, { files, servers }: PlannedUndo['views']): PlugError {
  const hit = [
    ...files.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path),
    ...servers.filter(({ outcome }) => outcome === 'conflict').map(({ id }) => id),
  ];
  const message = `Nothing was undone: ${hit.join(', ')} changed since. ${view.says}`;
  return new PlugError('denied', message, {
    owner: 'you',
    remedy: { do: 'undo', force: true },
    details: { change: view.id, files, servers },
  });
}

function underWay({ id, says }: ChangeView): PlugError {
  return new PlugError('unavailable', `The last change is still under way: ${says}`, {
    owner: 'you',
    remedy: { do: 'retry' },
    details: { change: id },
  });
}

function anotherChange({ id, says }: ChangeView): PlugError {
  return new PlugError('denied', `Nothing was undone: the last change is another one by now. ${says}`, {
    owner: 'you',
    remedy: { do: 'undo' },
    details: { change: id },
  });
}
