import type { AuditPage } from '../../calls/audit-record.ts';
import type { AuditVerification } from '../../calls/audit/chain.ts';
import type { StoredResult } from '../../calls/stored-result.ts';
import type { AuditSummary, ResultMatches, ResultPage, ResultPathFound } from '../decisions.ts';
import { count, madeId, one, serverId, toolRef } from './fields.ts';
import { op, type } from './operation.ts';

/** What happened. */

export const audit = {
  query: op('GET /v1/audit', {
    summary: 'The calls that were asked for, newest first.',
    role: 'member',
    input: (z) =>
      z.strictObject({
        server: serverId(z).exactOptional(),
        tool: toolRef(z).exactOptional(),
        outcome: z
          .enum(['ok', 'tool_error', 'failed', 'timed_out', 'cancelled', 'refused', 'unknown'])
          .exactOptional(),
        since: count(z).exactOptional(),
        until: count(z).exactOptional(),
        cursor: z.string().max(512).exactOptional(),
        limit: count(z).exactOptional(),
      }),
    output: type<AuditPage>(),
  }),
  summary: op('GET /v1/audit/summary', {
    summary: 'Calls in equal spans of time, for charts.',
    role: 'member',
    input: (z) =>
      z.strictObject({
        since: count(z),
        until: count(z),
        /** Into how many parts the time is divided. */
        parts: z.number().int().min(1).max(500),
        server: serverId(z).exactOptional(),
      }),
    output: type<AuditSummary>(),
  }),
  /** They are chained by hash. */
  verify: op('GET /v1/audit/verify', {
    summary: 'Whether every record is there, in its place and as it was written.',
    role: 'member',
    output: type<AuditVerification>(),
  }),
  /** Switched off, arguments and messages are left out; that a call was made is on record all the same. */
  setRecorded: op('PUT /v1/audit/recorded', {
    summary: 'Whether arguments and messages of a server’s calls are recorded.',
    role: 'owner',
    input: (z) => z.strictObject({ server: serverId(z), recorded: z.boolean() }),
  }),
};

export const results = {
  list: op('GET /v1/results', {
    summary: 'Large results that are kept, newest first.',
    role: 'member',
    output: type<readonly StoredResult[]>(),
  }),
  page: op('GET /v1/results/:id/pages/:page', {
    summary: 'One page of a kept result, from 1.',
    role: 'member',
    input: (z) => z.strictObject({ id: madeId(z), page: count(z) }),
    output: type<ResultPage>(),
  }),
  // A pattern or a path may be longer than an address: they are posted.
  grep: op('POST /v1/results/:id/grep', {
    summary: 'The lines of a kept result that match a regular expression (RE2).',
    role: 'member',
    input: (z) => z.strictObject({ id: madeId(z), pattern: z.string().min(1).max(4_096) }),
    output: type<ResultMatches>(),
  }),
  path: op('POST /v1/results/:id/path', {
    summary: 'What a JSONPath (RFC 9535) finds in a kept result.',
    role: 'member',
    input: (z) => z.strictObject({ id: madeId(z), path: z.string().min(1).max(4_096) }),
    output: type<ResultPathFound>(),
  }),
  remove: op('DELETE /v1/results/:id', { summary: 'Deletes a kept result.', role: 'owner', input: one }),
};
