import { ADMINS, missing, named, one, teamOperation } from './operation.ts';

/** Tokens for a directory, which keeps people and groups by SCIM. */
export const directoryOperations = {
  'GET /v1/team/directory-tokens': teamOperation(ADMINS, 'The tokens of directories.', {
    run: ({ team }) => team.directoryTokens.list(),
  }),
  'POST /v1/team/directory-tokens': teamOperation(ADMINS, 'Makes a token for a directory, shown once.', {
    input: named,
    run: async ({ team, person, input: { name } }) => {
      const made = await team.directoryTokens.add(person, name);
      return { ...made, url: `${team.url}/scim/v2` };
    },
  }),
  'DELETE /v1/team/directory-tokens/:id': teamOperation(ADMINS, 'Takes a token back.', {
    input: one,
    run: async ({ team, input: { id } }) => {
      if (!(await team.directoryTokens.remove(id))) throw missing('directory token');
    },
  }),
};
