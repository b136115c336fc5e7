import { symmetricEncrypt } from 'better-auth/crypto';
import { secretBytes } from '../../base/ids.ts';
import { ID_JAG } from '../oauth/identity-assertions.ts';
import { CLIENT_SECRET_PREFIX } from '../oauth/authorization-server.ts';
import { textIn } from '../requests.ts';
import { ADMINS, missing, type Asked, type TeamOperation } from './operation.ts';

/** Hosts that the identity provider speaks for: they need a secret, as no person is asked. */
export const clientOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/clients': { roles: ADMINS, run: list },
  'POST /v1/team/clients': { roles: ADMINS, run: add },
  'DELETE /v1/team/clients/:id': { roles: ADMINS, run: remove },
};

const MODEL = 'oauthClient';
/** Set on those that an admin has made; others have registered themselves. */
const MADE = { field: 'referenceId', value: 'admin' };
const SHOWN_MAX = 1_000;

interface Row {
  readonly clientId: string;
  readonly name?: string | null;
}

async function list({ team }: Asked): Promise<unknown> {
  const { adapter } = await team.people.auth.$context;
  const rows = await adapter.findMany<Row>({ model: MODEL, where: [MADE], limit: SHOWN_MAX });
  return rows.map(({ clientId: id, name }) => ({ id, name: name ?? '' }));
}

/** The secret is shown once, and kept as the library reads it. */
async function add({ team, input }: Asked): Promise<unknown> {
  const { adapter, secretConfig } = await team.people.auth.$context;
  const id = secretBytes(16).toString('base64url');
  const secret = secretBytes(32).toString('base64url');
  const now = team.people.now();
  await adapter.create({
    model: MODEL,
    data: {
      clientId: id,
      clientSecret: await symmetricEncrypt({ key: secretConfig, data: secret }),
      name: textIn(input, 'name'),
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

/** With everything that it holds. */
async function remove({ team, id }: Asked): Promise<void> {
  const { adapter } = await team.people.auth.$context;
  const where = [{ field: 'clientId', value: id }];
  if (!(await adapter.findOne<Row>({ model: MODEL, where: [...where, MADE] }))) throw missing('client');
  await adapter.deleteMany({ model: 'oauthAccessToken', where });
  await adapter.deleteMany({ model: MODEL, where });
  team.people.changed();
}
