import type { Core } from '../core.ts';
import type { DoctorApi } from '../hub.ts';
import type { Workspace } from '../workspace.ts';

/** Finding out what is wrong. Most hubs are never asked, so the checks are loaded when one is. */
export function doctorOf(core: Core, workspace: Workspace): DoctorApi {
  return {
    run: async (request = {}, options = {}) =>
      (await import('./run.ts')).runDoctor({ core, workspace }, request, options),
    fix: async ({ fixes }) => (await import('./fixes.ts')).carryOut({ core, workspace }, fixes),
  };
}
