import { recordOwners } from '../audit-export/exporter.ts';
import { csvHead, csvLine, jsonLine, type Line } from '../audit-export/lines.ts';
import { ownerOf } from '../owners.ts';
import type { Team } from '../team.ts';
import { OVERSEERS, type Asked, type TeamOperation } from './operation.ts';

/** How much is used, by whom; what was called with what is the auditors' to see. */
export const usageOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/usage': { roles: OVERSEERS, run: usage },
  'GET /v1/team/audit': { roles: ['auditor'], run: audit },
};

const DAY_MS = 24 * 60 * 60 * 1_000;

async function usage({ team, query }: Asked): Promise<unknown> {
  const until = team.people.now().getTime();
  const since = until - daysIn(query) * DAY_MS;
  const people = await team.people.list();
  const rows = await Promise.all(
    people.map(async ({ id, name, email }) => {
      const parts = { since, until, partMs: until - since, limit: SERVERS_MAX };
      const figures = await team.storage.audit.sumAudit(ownerOf({ id }), parts);
      const servers = figures.map(({ server, calls, failures }) => ({ server, calls, failures }));
      return { id, name, email, calls: sum(servers, 'calls'), failures: sum(servers, 'failures'), servers };
    }),
  );
  return { since, until, people: rows };
}

const SERVERS_MAX = 1_000;

function sum(rows: readonly { calls: number; failures: number }[], of: 'calls' | 'failures'): number {
  return rows.reduce((total, row) => total + row[of], 0);
}

function daysIn(query: URLSearchParams): number {
  const days = Number(query.get('days') ?? 30);
  return Number.isInteger(days) && days >= 1 && days <= 3_650 ? days : 30;
}

/** Everybody's records, one line each, as they come out of the database: never all in memory. */
function audit({ team, query }: Asked): Promise<Response> {
  const format = query.get('format') === 'csv' ? 'csv' : 'jsonl';
  const since = team.people.now().getTime() - daysIn(query) * DAY_MS;
  const lines = format === 'csv' ? csvLines(team, since) : jsonLines(team, since);
  const body = streamOf(lines);
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return Promise.resolve(
    new Response(body, {
      headers: {
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-disposition': `attachment; filename="plugboard-audit.${format}"`,
      },
    }),
  );
}

async function* records(team: Team, since: number): AsyncGenerator<Line> {
  for (const { owner, person } of await recordOwners(team.people)) {
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await team.storage.audit.queryAudit(owner, { since, limit: PAGE, ...from });
      for (const record of page.records) yield { person, record };
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}

const PAGE = 500;

async function* jsonLines(team: Team, since: number): AsyncGenerator<string> {
  for await (const line of records(team, since)) yield jsonLine(line);
}

async function* csvLines(team: Team, since: number): AsyncGenerator<string> {
  yield csvHead({ withArguments: true });
  for await (const line of records(team, since)) yield csvLine(line, { withArguments: true });
}

/** Read only as fast as it is taken. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (into) => {
      const { done, value } = await lines.next();
      if (done === true) into.close();
      else into.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await lines.return(undefined)),
  });
}
