import type { Zod } from '../../hub/operations/operation.ts';
import { recordOwners } from '../audit-export/exporter.ts';
import {
  csvHead,
  csvLine,
  EXPORT_FORMATS,
  jsonLine,
  type ExportFormat,
  type Line,
} from '../audit-export/lines.ts';
import { ownerOf } from '../owners.ts';
import type { Person } from '../people.ts';
import type { Team } from '../team.ts';
import { OVERSEERS, teamOperation } from './operation.ts';

const days = (z: Zod) => z.number().int().min(1).max(3_650).exactOptional();
const DAYS = 30;

/** How much is used, by whom; what was called with what is the auditors' to see. */
export const usageOperations = {
  'GET /v1/team/usage': teamOperation(OVERSEERS, 'How many calls each person made in the last days.', {
    input: (z) => z.strictObject({ days: days(z) }),
    run: ({ team, input }) => usage(team, input.days ?? DAYS),
  }),
  'GET /v1/team/audit': teamOperation(
    ['auditor'],
    'The records of all people in the last days, one a line.',
    {
      input: (z) => z.strictObject({ days: days(z), format: z.enum(EXPORT_FORMATS).exactOptional() }),
      run: ({ team, input }) => Promise.resolve(audit(team, input.days ?? DAYS, input.format ?? 'jsonl')),
    },
  ),
};

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface TeamUsage {
  readonly since: number;
  readonly until: number;
  readonly people: readonly (Pick<Person, 'id' | 'name' | 'email'> &
    CountedCalls & { readonly servers: readonly CountedServer[] })[];
}

interface CountedCalls {
  readonly calls: number;
  readonly failures: number;
}

interface CountedServer extends CountedCalls {
  readonly server: string;
}

async function usage(team: Team, lastDays: number): Promise<TeamUsage> {
  const until = team.people.now().getTime();
  const since = until - lastDays * DAY_MS;
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

/** Everybody's records, one line each, as they come out of the database: never all in memory. */
function audit(team: Team, lastDays: number, format: ExportFormat): Response {
  const since = team.people.now().getTime() - lastDays * DAY_MS;
  const lines = format === 'csv' ? csvLines(team, since) : jsonLines(team, since);
  const body = streamOf(lines);
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return new Response(body, {
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="plugboard-audit.${format}"`,
    },
  });
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
