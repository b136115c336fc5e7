import { OVERSEERS, type TeamOperation } from './operation.ts';

/** The scheduled export of records: everybody who oversees the team sees whether it works. */
export const auditExportOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/audit-export': { roles: OVERSEERS, run: ({ team }) => team.exporter.show() },
  'PUT /v1/team/audit-export': {
    roles: OVERSEERS,
    run: ({ team, person, input }) => team.exporter.set(person, input),
  },
  'POST /v1/team/audit-export': { roles: OVERSEERS, run: ({ team }) => team.exporter.runNow() },
  'DELETE /v1/team/audit-export': { roles: OVERSEERS, run: ({ team }) => team.exporter.remove() },
};
