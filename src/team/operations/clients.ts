import { symmetricEncrypt } from 'better-auth/crypto';
import { secretBytes } from '../../base/ids.ts';
import { ID_JAG } from '../oauth/identity-assertions.ts';
import { CLIENT_SECRET_PREFIX } from '../oauth/authorization-server.ts';
import type { Team } from '../team.ts';
import { ADMINS, missing, named, one, teamOperation } from './operation.ts';

/** Hosts that the identity provider speaks for: they need a secret, as no person is asked. */
export const clientOperations = {
  'GET /v1/team/clients': teamOperation(ADMINS, 'Hosts that the identity provider speaks for.', {
    run: ({ team }) => list(team),
  }),
  'POST /v1/team/clients': teamOperation(ADMINS, 'Makes one. Its secret is shown once.', {
    input: named,
    run: ({ team, input: { name } }) => add(team, name),
  }),
  'DELETE /v1/team/clients/:id': teamOperation(ADMINS, 'Removes one, with everything that it holds.', {
    input: one,
    run: ({ team, input: { id } }) => remove(team, id),
  }),
};

const MODEL = 'oauthClient';
/** Set on those that an admin has made; others have registered themselves. */
const MADE = { field: 'referenceId', value: 'admin' };
const SHOWN_MAX = 1_000;

interface Row {
  readonly clientId: string;
  readonly name?: string | null;
}

async function list(team: Team): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { adapter } = await team.people.auth.$context;
  const rows = await adapter.findMany<Row>({ model: MODEL, where: [MADE], limit: SHOWN_MAX });
  return rows.map(({ clientId: id, name }) => ({ id, name: name ?? '' }));
}

/** The secret is kept as the library reads it. */
async function add(team: Team, name: string): Promise<{ readonly id: string; readonly secret: string }> {
  const { adapter, secretConfig } = await team.people.auth.$context;
  const id = secretBytes(16).toString('base64url');
  const secret = secretBytes(32).toString('base64url');
  const now = team.people.now();
  await adapter.create({
    model: MODEL,
    data: {
      clientId: id,
      clientSecret: await symmetricEncrypt({ key: secretConfig, data: secret }),
      name,
      redirectUris: [],
      grantTypes: [ID_JAG],
      scopes: ['mcp'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      referenceId: MADE.value,
      disabled: false,
      createdAt: now,
      updatedAt: now,
    },
  });
  return { id, secret: `${CLIENT_SECRET_PREFIX}${secret}` };
}

async function remove(team: Team, id: string): Promise<void> {
  const { adapter } = await team.people.auth.$context;
  const where = [{ field: 'clientId', value: id }];
  if (!(await adapter.findOne<Row>({ model: MODEL, where: [...where, MADE] }))) throw missing('client');
  await adapter.deleteMany({ model: 'oauthAccessToken', where });
  await adapter.deleteMany({ model: MODEL, where });
  team.people.changed();
}
