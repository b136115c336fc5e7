import type { Core } from '../core.ts';
import type { Workspace } from '../workspace.ts';
import type { Implementations } from '../operations/table.ts';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { AuditLog } from '../../calls/audit/audit-log.ts';
import type { AuditSpan, AuditSummary } from '../hub.ts';

export function auditOf(
  { decisions: { audit }, limits, storage, owner, changes }: Core,
  workspace: Workspace,
): Implementations['audit'] {
  return {
    query: (query) =>
      audit.query({ ...query, limit: Math.min(query.limit ?? limits.eventsListMax, limits.auditPageMax) }),
    verify: () => audit.verify(),
    summary: (span) => summaryOf(audit, limits, span),
    setRecorded: async ({ server: id, recorded }) => {
      const server = workspace.resolved(id).definition.id;
      await changes.during({ kind: 'set', names: [id], servers: [server] }, async () => {
        await storage.servers.putOverride(owner, { server, recorded });
        await workspace.changed();
      });
    },
  };
}

/** Results that were too large to be answered whole. */
export function resultsOf({
  decisions: { results, recent },
  storage,
  owner,
}: Core): Implementations['results'] {
  return {
    list: () => results.list(),
    ofCall: ({ callId }) => Promise.resolve(defined({ result: recent.get(callId) })),
    page: async ({ id, page }) => ({ id, page, ...(await results.page(id, page)) }),
    grep: async ({ id, pattern }) => ({ id, ...(await results.grep(id, pattern)) }),
    path: async ({ id, path }) => ({ id, ...(await results.path(id, path)) }),
    remove: ({ id }) => results.remove(id),
    clear: async () => {
      const removed: string[] = [];
      for (const { id } of await results.list()) {
        if (await storage.results.deleteResult(owner, id)) removed.push(id);
      }
      return { removed };
    },
  };
}

async function summaryOf(
  audit: Pick<AuditLog, 'sum'>,
  limits: Limits,
  { since, until, parts, ...of }: AuditSpan,
): Promise<AuditSummary> {
  if (!(until > since) || !(parts >= 1)) {
    const why = 'A summary needs a time that ends after it begins, and parts of it.';
    throw new PlugError('usage', why, { owner: 'you' });
  }
  const partMs = Math.max(1, Math.ceil((until - since) / parts));
  const limit = limits.auditSumRowsMax;
  const found = await audit.sum({ since, until, partMs, limit: limit + 1, ...of });
  if (found.length > limit) {
    const remedy = 'Ask for fewer parts, or for one server.';
    throw new PlugError('too_large', `The summary has more than ${limit} rows.`, { owner: 'you', remedy });
  }
  const rows = found.map(({ resultBytes, ...figures }) => ({
    ...figures,
    tokens: Math.ceil(resultBytes / BYTES_PER_TOKEN),
  }));
  return { since, partMs, rows };
}

/** A rule of thumb for English text and JSON. */
const BYTES_PER_TOKEN = 4;
