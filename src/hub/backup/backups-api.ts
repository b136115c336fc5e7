import type { Core } from '../core.ts';
import type { BackupsApi } from '../hub.ts';
import type { Workspace } from '../workspace.ts';

/** Moving to another machine. Needed seldom: its code is loaded when somebody does. */
export function backupsOf(core: Core, workspace: Workspace): BackupsApi {
  return {
    make: async (request = {}) => (await import('./make.ts')).makeBackup(core, workspace, request),
    check: async (request) => (await import('./restore.ts')).restoreBackup(core, workspace, request, 'check'),
    restore: async (request) =>
      (await import('./restore.ts')).restoreBackup(core, workspace, request, 'restore'),
  };
}
