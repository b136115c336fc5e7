import { textIn } from '../requests.ts';
import { ADMINS, missing, type Asked, type TeamOperation } from './operation.ts';

/** Tokens for a directory, which keeps people and groups by SCIM. */
export const directoryOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/directory-tokens': { roles: ADMINS, run: list },
  'POST /v1/team/directory-tokens': { roles: ADMINS, run: add },
  'DELETE /v1/team/directory-tokens/:id': { roles: ADMINS, run: remove },
};

function list({ team }: Asked): Promise<unknown> {
  return team.directoryTokens.list();
}

async function add({ team, person, input }: Asked): Promise<unknown> {
  const made = await team.directoryTokens.add(person, textIn(input, 'name'));
  return { ...made, url: `${team.url}/scim/v2` };
}

async function remove({ team, id }: Asked): Promise<void> {
  if (!(await team.directoryTokens.remove(id))) throw missing('directory token');
}
