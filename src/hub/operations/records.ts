import type { AuditPage } from '../../calls/audit-record.ts';
import type { AuditVerification } from '../../calls/audit/chain.ts';
import type { StoredResult } from '../../calls/stored-result.ts';
import type { AuditSummary, RecentResult, ResultMatches, ResultPage, ResultPathFound } from '../decisions.ts';
import { count, flag, madeId, one, serverId, toolRef } from './fields.ts';
import { member, owner, type } from './operation.ts';

export const audit = {
  query: member('GET /v1/audit', 'The calls that were asked for, newest first.', {
    input: (z) => ({
      server: serverId(z).exactOptional(),
      tool: toolRef(z).exactOptional(),
      outcome: z
        .enum(['ok', 'tool_error', 'failed', 'timed_out', 'cancelled', 'refused', 'unknown'])
        .exactOptional(),
      /** `person`, or the name of the app or program that asked. */
      requester: z.string().max(512).exactOptional(),
      since: count(z).exactOptional(),
      until: count(z).exactOptional(),
      cursor: z.string().max(512).exactOptional(),
      limit: count(z).exactOptional(),
    }),
    output: type<AuditPage>(),
  }),
  summary: member('GET /v1/audit/summary', 'Calls in equal spans of time, for charts.', {
    input: (z) => ({
      since: count(z),
      until: count(z),
      parts: z.number().int().min(1).max(500),
      server: serverId(z).exactOptional(),
      /** `person`, or the name of the app or program that asked. */
      requester: z.string().max(512).exactOptional(),
      /** A row for each tool instead of each server. */
      byTool: flag(z),
    }),
    output: type<AuditSummary>(),
  }),
  verify: member('GET /v1/audit/verify', 'Checks that no record was changed, moved or removed.', {
    output: type<AuditVerification>(),
  }),
  /** Switched off, arguments and messages are left out; that a call was made is on record all the same. */
  setRecorded: owner(
    'PUT /v1/audit/recorded',
    'Whether arguments and messages of a server’s calls are recorded.',
    { input: (z) => ({ server: serverId(z), recorded: z.boolean() }) },
  ),
};

export const results = {
  list: member('GET /v1/results', 'Large results that are kept, newest first.', {
    output: type<readonly StoredResult[]>(),
  }),
  ofCall: member(
    'GET /v1/calls/:callId/result',
    'What a call answered, if it is remembered: few and small ones, in memory alone.',
    {
      input: (z) => ({ callId: madeId(z) }),
      output: type<RecentResult>(),
    },
  ),
  page: member('GET /v1/results/:id/pages/:page', 'One page of a kept result, from 1.', {
    input: (z) => ({ id: madeId(z), page: count(z) }),
    output: type<ResultPage>(),
  }),
  // A pattern or a path may be longer than an address: they are posted.
  grep: member(
    'POST /v1/results/:id/grep',
    'The lines of a kept result that match a regular expression (RE2).',
    {
      input: (z) => ({ id: madeId(z), pattern: z.string().min(1).max(4_096) }),
      output: type<ResultMatches>(),
    },
  ),
  path: member('POST /v1/results/:id/path', 'What a JSONPath (RFC 9535) finds in a kept result.', {
    input: (z) => ({ id: madeId(z), path: z.string().min(1).max(4_096) }),
    output: type<ResultPathFound>(),
  }),
  remove: owner('DELETE /v1/results/:id', 'Deletes a kept result.', { input: one }),
  clear: owner('DELETE /v1/results', 'Deletes every kept result.', {
    output: type<{ readonly removed: readonly string[] }>(),
  }),
};
