import { limits } from '../../base/limits.ts';
import type {
  AuditFigures,
  AuditPage,
  AuditParts,
  AuditQuery,
  AuditRecord,
  AuditStore,
  WrittenRecord,
} from '../../calls/audit-record.ts';
import { textIn } from '../../calls/audit/record-text.ts';
import type { OwnerId } from '../../servers/store.ts';
import { FAILURES } from '../audit-failures.ts';
import { fromCursor, toCursor, type AuditPlace } from '../audit-cursor.ts';
import { boundedCount, boundedTime, boundedTimeFrom } from '../order.ts';

interface Row extends AuditPlace {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly outcome: AuditRecord['outcome'];
  readonly durationMs: number;
  readonly resultBytes: number;
  /** JSON text, so that what was put in cannot be changed from outside. */
  readonly body: string;
}

export class MemoryAuditStore implements AuditStore {
  readonly #rows = new Map<OwnerId, Map<string, Row>>();
  #seq = 0;

  async appendAudit(owner: OwnerId, records: readonly (AuditRecord | WrittenRecord)[]): Promise<void> {
    const rows = this.#rowsOf(owner);
    // All of them become text before the first is kept.
    for (const row of records.map((record) => this.#rowOf(record))) {
      if (!rows.has(row.callId)) rows.set(row.callId, row);
    }
  }

  async queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage> {
    const limit = boundedCount(query.limit, limits.auditPageMax);
    const found = [...this.#rowsOf(owner).values()].filter(matcherOf(query)).toSorted(newestFirst);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      records: shown.map(({ body }) => JSON.parse(body) as AuditRecord), // appendAudit() wrote it
      ...(last && found.length > limit ? { cursor: toCursor(last) } : {}),
    };
  }

  async sumAudit(
    owner: OwnerId,
    { since, until, partMs, server, limit }: AuditParts,
  ): Promise<readonly AuditFigures[]> {
    const matches = matcherOf({ since, until, limit, ...(server === undefined ? {} : { server }) });
    const first = boundedTimeFrom(since);
    const groups = Map.groupBy([...this.#rowsOf(owner).values()].filter(matches), (row) =>
      JSON.stringify([Math.floor((row.at - first) / partMs), row.server]),
    );
    const figures = [...groups].map(([key, rows]) => figuresOf(JSON.parse(key) as [number, string], rows));
    return figures
      .toSorted((a, b) => a.part - b.part || (a.server < b.server ? -1 : 1))
      .slice(0, boundedCount(limit, Number.MAX_SAFE_INTEGER));
  }

  async pruneAudit(
    owner: OwnerId,
    { before, keep }: { readonly before: number; readonly keep: number },
  ): Promise<number> {
    const rows = this.#rowsOf(owner);
    const first = boundedTimeFrom(before);
    const kept = boundedCount(keep, Number.MAX_SAFE_INTEGER);
    const gone = [...rows.values()]
      .toSorted(newestFirst)
      .filter(({ at }, index) => at < first || index >= kept);
    for (const { callId } of gone) rows.delete(callId);
    return gone.length;
  }

  #rowOf(record: AuditRecord | WrittenRecord): Row {
    const { callId, server, tool, outcome, durationMs, resultBytes = 0 } = record;
    const place = { at: boundedTime(record.at), seq: (this.#seq += 1) };
    return { ...place, callId, server, tool, outcome, durationMs, resultBytes, body: textIn(record) };
  }

  #rowsOf(owner: OwnerId): Map<string, Row> {
    const rows = this.#rows.get(owner) ?? new Map<string, Row>();
    this.#rows.set(owner, rows);
    return rows;
  }
}

function matcherOf({ server, tool, outcome, since, until, cursor }: AuditQuery): (row: Row) => boolean {
  const from = since === undefined ? undefined : boundedTimeFrom(since);
  const to = until === undefined ? undefined : boundedTimeFrom(until);
  const after = cursor === undefined ? undefined : fromCursor(cursor);
  return (row) =>
    (server === undefined || row.server === server) &&
    (tool === undefined || row.tool === tool) &&
    (outcome === undefined || row.outcome === outcome) &&
    (from === undefined || row.at >= from) &&
    (to === undefined || row.at < to) &&
    (after === undefined || newestFirst(after, row) < 0);
}

function newestFirst(a: AuditPlace, b: AuditPlace): number {
  return b.at - a.at || b.seq - a.seq;
}

function figuresOf([part, server]: readonly [number, string], rows: readonly Row[]): AuditFigures {
  const took = rows.filter(({ outcome }) => outcome !== 'refused').map(({ durationMs }) => durationMs);
  const totalMs = took.reduce((sum, ms) => sum + ms, 0);
  return {
    server,
    part,
    calls: rows.length,
    failures: rows.filter(({ outcome }) => FAILURES.some((failure) => failure === outcome)).length,
    meanMs: took.length === 0 ? 0 : totalMs / took.length,
    slowestMs: took.reduce((most, ms) => Math.max(most, ms), 0),
    resultBytes: rows.reduce((sum, { resultBytes }) => sum + resultBytes, 0),
  };
}
