import { summaryOf } from './audit-summary.ts';
import type { Core } from '../core.ts';
import type { AuditApi, ResultsApi } from '../deciding.ts';
import type { Workspace } from '../workspace.ts';

/** What happened. */
export function auditOf(
  { deciding: { audit }, limits, storage, owner }: Core,
  workspace: Workspace,
): AuditApi {
  return {
    query: (query = {}) =>
      audit.query({ ...query, limit: Math.min(query.limit ?? limits.eventsListMax, limits.auditPageMax) }),
    summary: (span) => summaryOf(audit, limits, span),
    setRecorded: async (id, recorded) => {
      const server = workspace.resolved(id).definition.id;
      await storage.servers.putOverride(owner, { server, recorded });
      await workspace.changed();
    },
  };
}

/** Results that were too large to be answered whole. */
export function resultsOf({ deciding: { results } }: Core): ResultsApi {
  return {
    list: () => results.list(),
    page: async (id, page) => ({ id, page, ...(await results.page(id, page)) }),
    grep: async (id, pattern) => ({ id, ...(await results.grep(id, pattern)) }),
    path: async (id, path) => ({ id, ...(await results.path(id, path)) }),
    remove: (id) => results.remove(id),
  };
}
