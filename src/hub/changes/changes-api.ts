import type { Core } from '../core.ts';
import type { Implementations } from '../operations/table.ts';
import type { Workspace } from '../workspace.ts';
import { undoLast } from './undo.ts';
import { changeView } from './view.ts';

export function changesOf(core: Core, workspace: Workspace): Pick<Implementations, 'changes'> {
  const { changes } = core;
  return {
    changes: {
      list: async () => (await changes.list()).map(changeView),
      undo: (request) => changes.alone(() => undoLast(core, workspace, request)),
      clear: async () => {
        const known = (await changes.list()).filter(({ id }) => !changes.isRunning(id));
        for (const change of known) await changes.forget(change);
        return { forgotten: known.length };
      },
    },
  };
}
