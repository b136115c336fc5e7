import { textIn } from '../requests.ts';
import { SCIM_PATH } from '../directory/paths.ts';
import { DirectoryKeys } from '../directory/keys.ts';
import { ADMINS, missing, type TeamOperation } from './operation.ts';

/** The keys with which an identity provider keeps people and groups here (SCIM). */
export const directoryOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/directory': {
    roles: ADMINS,
    run: async ({ team }) => ({
      url: `${team.url}${SCIM_PATH}`,
      keys: await new DirectoryKeys(team.people).list(),
    }),
  },
  'POST /v1/team/directory': {
    roles: ADMINS,
    run: ({ team, input }) => new DirectoryKeys(team.people).add(textIn(input, 'name')),
  },
  'DELETE /v1/team/directory/:id': {
    roles: ADMINS,
    run: async ({ team, id }) => {
      if (!(await new DirectoryKeys(team.people).remove(id))) throw missing('key');
    },
  },
};
