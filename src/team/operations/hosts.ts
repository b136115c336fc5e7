import { CALLERS, missing, named, one, teamOperation } from './operation.ts';

/** What speaks for somebody at the gateway: keys, and apps that they let in. */
export const hostOperations = {
  'GET /v1/team/keys': teamOperation(CALLERS, 'Your keys for hosts.', {
    run: ({ team, person }) => team.credentials.keys(person),
  }),
  'POST /v1/team/keys': teamOperation(CALLERS, 'Makes a key for a host, shown once.', {
    input: named,
    run: ({ team, person, input: { name } }) => team.credentials.addKey(person, name),
  }),
  'DELETE /v1/team/keys/:id': teamOperation(CALLERS, 'Takes a key back.', {
    input: one,
    run: async ({ team, person, input: { id } }) => {
      if (!(await team.credentials.removeKey(person, id))) throw missing('key');
    },
  }),
  'GET /v1/team/apps': teamOperation(CALLERS, 'The apps that you let in.', {
    run: ({ team, person }) => team.credentials.apps(person),
  }),
  'DELETE /v1/team/apps/:id': teamOperation(CALLERS, 'Lets an app in no longer.', {
    input: one,
    run: async ({ team, person, input: { id } }) => {
      if (!(await team.credentials.removeApp(person, id))) throw missing('app');
    },
  }),
};
