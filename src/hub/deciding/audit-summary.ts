import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { AuditLog } from '../../calls/audit/audit-log.ts';
import type { AuditSpan, AuditSummary } from '../deciding.ts';

/** Calls in equal parts of a time, for charts. */
export async function summaryOf(
  audit: Pick<AuditLog, 'sum'>,
  limits: Limits,
  { since, until, parts, server }: AuditSpan,
): Promise<AuditSummary> {
  if (!(until > since) || !(parts >= 1)) {
    throw new PlugError('usage', 'A summary needs a time that ends after it begins, and parts of it.', {
      owner: 'you',
    });
  }
  const partMs = Math.max(1, Math.ceil((until - since) / parts));
  const limit = limits.auditSumRowsMax;
  const found = await audit.sum({
    since,
    until,
    partMs,
    limit: limit + 1,
    ...(server === undefined ? {} : { server }),
  });
  if (found.length > limit) {
    throw new PlugError('too_large', `The summary has more than ${limit} rows.`, {
      owner: 'you',
      next: 'Ask for fewer parts, or for one server.',
    });
  }
  const rows = found.map(({ resultBytes, ...figures }) => ({
    ...figures,
    tokens: Math.ceil(resultBytes / BYTES_PER_TOKEN),
  }));
  return { since, partMs, rows };
}

/** A rule of thumb for English text and JSON; nobody waits for a real count of what has long been read. */
const BYTES_PER_TOKEN = 4;
