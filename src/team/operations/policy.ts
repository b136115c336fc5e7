import { ADMINS, OVERSEERS, type Asked, type TeamOperation } from './operation.ts';

/** How many calls the people of a team may make, and by which rules. */
export const policyOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/quotas': { roles: OVERSEERS, run: ({ team }) => team.quotas.all() },
  'PUT /v1/team/quotas': { roles: ADMINS, run: setQuotas },
  'GET /v1/team/rules': { roles: OVERSEERS, run: ({ team }) => team.teamRules.all() },
  'GET /v1/team/rule-list': { roles: OVERSEERS, run: ({ team }) => team.teamRules.shown() },
  'PUT /v1/team/rules': { roles: ADMINS, run: setRules },
};

async function setQuotas({ team, input }: Asked): Promise<unknown> {
  const set = await team.quotas.replace(input['quotas']);
  await team.changedShared();
  return set;
}

async function setRules({ team, input }: Asked): Promise<unknown> {
  const set = await team.teamRules.replace(input['rules']);
  await team.changedShared();
  return set;
}
