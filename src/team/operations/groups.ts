import type { Zod } from '../../hub/operations/operation.ts';
import { teamLimits } from '../limits.ts';
import { ADMINS, id, one, OVERSEERS, shortText, teamOperation } from './operation.ts';

const members = (z: Zod) => z.array(z.string().max(256)).max(teamLimits.peopleMax);

/** Quotas and rules may speak of groups: each change is told. */
export const groupOperations = {
  'GET /v1/team/groups': teamOperation(OVERSEERS, 'The groups, with their members.', {
    run: ({ team }) => team.groups.list(),
  }),
  'POST /v1/team/groups': teamOperation(ADMINS, 'Makes a group.', {
    input: (z) => z.strictObject({ name: shortText(z), members: members(z).exactOptional() }),
    run: async ({ team, input: { name, members: given = [] } }) => {
      const added = await team.groups.add({ name, members: given });
      await team.changedShared();
      return added;
    },
  }),
  'PUT /v1/team/groups/:id': teamOperation(ADMINS, 'Changes a group. What is not given stays.', {
    input: (z) =>
      z.strictObject({
        id: id(z),
        name: shortText(z).exactOptional(),
        members: members(z).exactOptional(),
      }),
    run: async ({ team, input: { id: which, ...given } }) => {
      const changed = await team.groups.change(which, (before) => ({ ...before, ...given }));
      await team.changedShared();
      return changed;
    },
  }),
  'DELETE /v1/team/groups/:id': teamOperation(ADMINS, 'Removes a group; its people stay.', {
    input: one,
    run: async ({ team, input }) => {
      await team.groups.remove(input.id);
      await team.changedShared();
    },
  }),
};
