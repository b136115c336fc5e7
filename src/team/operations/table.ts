import { answer } from '../../api/answer.ts';
import { readBody } from '../../api/read-input.ts';
import { parseInput, parseTexts } from '../../hub/operations/parse-input.ts';
import { teamLimits } from '../limits.ts';
import type { Person } from '../people.ts';
import { nothingHere } from '../requests.ts';
import type { Team } from '../team.ts';
import { approvalOperations } from './approvals.ts';
import { auditExportOperations } from './audit-export.ts';
import { clientOperations } from './clients.ts';
import { directoryOperations } from './directory.ts';
import { groupOperations } from './groups.ts';
import { hostOperations } from './hosts.ts';
import { notYours, type TeamOperation } from './operation.ts';
import { peopleOperations } from './people.ts';
import { policyOperations } from './policy.ts';
import { promotionOperations } from './promotions.ts';
import { usageOperations } from './usage.ts';

/** All requests about a team; what is not in here is not there. */
export const TEAM_OPERATIONS = {
  ...peopleOperations,
  ...groupOperations,
  ...policyOperations,
  ...approvalOperations,
  ...hostOperations,
  ...clientOperations,
  ...directoryOperations,
  ...promotionOperations,
  ...usageOperations,
  ...auditExportOperations,
} satisfies Readonly<Record<string, TeamOperation>>;

export async function runTeamOperation(request: Request, person: Person, team: Team): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, area = '', id = '', act = ''] = PATH.exec(pathname) ?? [];
  const place = `${area}${id === '' ? '' : '/:id'}${act === '' ? '' : `/${act}`}`;
  const row = rowOf(`${request.method} /v1/team/${place}`);
  if (!row) throw nothingHere();
  if (!row.roles.includes(person.role)) throw notYours();
  const given = await inputOf(request, row);
  const input = parseInput(row, id === '' ? given : { ...given, id: decodeURIComponent(id) });
  const made = await row.run({ team, person, input });
  return made instanceof Response ? made : answer(made);
}

function rowOf(name: string): TeamOperation | undefined {
  const rows: Readonly<Record<string, TeamOperation>> = TEAM_OPERATIONS;
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

async function inputOf(request: Request, row: TeamOperation): Promise<Record<string, unknown>> {
  if (request.method === 'POST' || request.method === 'PUT')
    return await readBody(request, teamLimits.bodyBytesMax);
  return parseTexts(row, Object.fromEntries(new URL(request.url).searchParams));
}

/** Ids of apps are addresses, as one part of the path. */
const PATH = /^\/v1\/team\/([a-z-]+)(?:\/((?:[\w.~-]|%[0-9A-F]{2}){1,1024})(?:\/([a-z-]+))?)?$/;
