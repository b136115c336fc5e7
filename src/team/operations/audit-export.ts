import { exportSchema } from '../audit-export/settings.ts';
import { OVERSEERS, teamOperation } from './operation.ts';

/** The scheduled export of records: everybody who oversees the team sees whether it works. */
export const auditExportOperations = {
  'GET /v1/team/audit-export': teamOperation(
    OVERSEERS,
    'Where the scheduled export goes, and how the last one went.',
    {
      run: ({ team }) => team.exporter.show(),
    },
  ),
  'PUT /v1/team/audit-export': teamOperation(OVERSEERS, 'Says where, how and how often they go.', {
    input: exportSchema,
    run: ({ team, person, input }) => team.exporter.set(person, input),
  }),
  'POST /v1/team/audit-export': teamOperation(OVERSEERS, 'Exports now.', {
    run: ({ team }) => team.exporter.runNow(),
  }),
  'DELETE /v1/team/audit-export': teamOperation(OVERSEERS, 'Exports no longer.', {
    run: ({ team }) => team.exporter.remove(),
  }),
};
