import { textIn, textsIn } from '../requests.ts';
import { ADMINS, OVERSEERS, type Asked, type TeamOperation } from './operation.ts';

const MEMBERS_MAX = 10_000;

export const groupOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/groups': { roles: OVERSEERS, run: ({ team }) => team.groups.list() },
  'POST /v1/team/groups': { roles: ADMINS, run: add },
  'PUT /v1/team/groups/:id': { roles: ADMINS, run: change },
  'DELETE /v1/team/groups/:id': { roles: ADMINS, run: remove },
};

async function add({ team, input }: Asked): Promise<unknown> {
  const members = input['members'] === undefined ? [] : textsIn(input, 'members', MEMBERS_MAX);
  const added = await team.groups.add({ name: textIn(input, 'name'), members });
  await team.changedShared();
  return added;
}

/** What is not given stays. */
async function change({ team, input, id }: Asked): Promise<unknown> {
  const given = {
    ...(input['name'] === undefined ? {} : { name: textIn(input, 'name') }),
    ...(input['members'] === undefined ? {} : { members: textsIn(input, 'members', MEMBERS_MAX) }),
  };
  const changed = await team.groups.change(id, (before) => ({ ...before, ...given }));
  await team.changedShared();
  return changed;
}

/** Quotas and rules may speak of it. */
async function remove({ team, id }: Asked): Promise<void> {
  await team.groups.remove(id);
  await team.changedShared();
}
