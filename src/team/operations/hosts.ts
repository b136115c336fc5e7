import { textIn } from '../requests.ts';
import { CALLERS, missing, type Asked, type TeamOperation } from './operation.ts';

/** What speaks for somebody at the gateway: keys, and apps that they let in. */
export const hostOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/keys': { roles: CALLERS, run: ({ team, person }) => team.credentials.keys(person) },
  'POST /v1/team/keys': { roles: CALLERS, run: addKey },
  'DELETE /v1/team/keys/:id': { roles: CALLERS, run: removeKey },
  'GET /v1/team/apps': { roles: CALLERS, run: ({ team, person }) => team.credentials.apps(person) },
  'DELETE /v1/team/apps/:id': { roles: CALLERS, run: removeApp },
};

function addKey({ team, person, input }: Asked): Promise<unknown> {
  return team.credentials.addKey(person, textIn(input, 'name'));
}

async function removeKey({ team, person, id }: Asked): Promise<void> {
  if (!(await team.credentials.removeKey(person, id))) throw missing('key');
}

async function removeApp({ team, person, id }: Asked): Promise<void> {
  if (!(await team.credentials.removeApp(person, id))) throw missing('app');
}
