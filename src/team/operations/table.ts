import { answer } from '../../api/answer.ts';
import type { Person } from '../people.ts';
import { nothingHere, readJson } from '../requests.ts';
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
export const TEAM_OPERATIONS: Readonly<Record<string, TeamOperation>> = {
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
};

export async function runTeamOperation(request: Request, person: Person, team: Team): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url);
  const [, area = '', id = '', act = ''] = PATH.exec(pathname) ?? [];
  const place = `${area}${id === '' ? '' : '/:id'}${act === '' ? '' : `/${act}`}`;
  const name = `${request.method} /v1/team/${place}`;
  const operation = Object.hasOwn(TEAM_OPERATIONS, name) ? TEAM_OPERATIONS[name] : undefined;
  if (!operation) throw nothingHere();
  if (!operation.roles.includes(person.role)) throw notYours();
  const hasBody = (request.method === 'POST' && act === '') || request.method === 'PUT';
  const input = hasBody ? await readJson(request) : {};
  const made = await operation.run({ team, person, input, query, id: decodeURIComponent(id) });
  return made instanceof Response ? made : answer(made);
}

/** Ids of apps are addresses, as one part of the path. */
const PATH = /^\/v1\/team\/([a-z-]+)(?:\/((?:[\w.~-]|%[0-9A-F]{2}){1,1024})(?:\/([a-z-]+))?)?$/;
