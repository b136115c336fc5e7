import { PlugError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';
import { DEFAULT_ACCOUNT } from '../connections/sign-in/sign-in-service.ts';
import { keyFields, ownKeys } from '../servers/own-keys.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { titleOfName } from '../servers/plans/needs.ts';
import { checkAccount, secretName } from '../vault/names.ts';
import { keepSecrets } from './add-server.ts';
import type { Core } from './core.ts';
import type { InstallOptions } from './hub.ts';
import { tryServer } from './try-server.ts';
import { serverKey, type Workspace } from './workspace.ts';

export interface KeysRequest {
  readonly server: string;
  readonly account?: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Another account at a server with keys: tried with its own keys first, and saved only if they work. */
export async function setKeys(
  core: Core,
  workspace: Workspace,
  { server, account, values }: KeysRequest,
  options: InstallOptions,
): Promise<string> {
  const { accounts, owner, pool } = core;
  const { definition } = workspace.resolved(server);
  const known = await accounts.list(owner, server);
  const name = account ?? known.find(({ isDefault }) => isDefault)?.account ?? DEFAULT_ACCOUNT;
  checkAccount(name);
  const keys = keysFor(definition, values);
  const lent = keys.map(({ field, value }) => ({ name: `${server}/${field}`, value }));
  // A definition of its own: what runs meanwhile keeps its keys.
  const filled = { definition: { ...definition }, secrets: lent };
  await tryServer(core, workspace, { filled, options }, async () => {
    // The first keys belong to an account, too, as soon as there are two.
    if (known.length === 0 && name !== DEFAULT_ACCOUNT)
      await accounts.add(owner, { server, account: DEFAULT_ACCOUNT });
    const own = name === DEFAULT_ACCOUNT ? {} : { account: name };
    const named = keys.map(({ field, value }) => ({ name: secretName({ server, ...own, field }), value }));
    await keepSecrets(core, named);
    if (!known.some((each) => each.account === name)) await accounts.add(owner, { server, account: name });
  });
  await pool.release(serverKey(definition), 'Its keys changed.');
  return name;
}

function keysFor(
  definition: ServerDefinition,
  values: KeysRequest['values'],
): readonly { readonly field: string; readonly value: Secret }[] {
  const { id: server } = definition;
  const fields = ownKeys(definition);
  if (fields.length === 0) {
    const why = `${server} uses no key from the vault, so it has no accounts with keys.`;
    throw new PlugError('usage', why, { owner: 'you', server });
  }
  const asked = keyFields(definition);
  const unknown = Object.keys(values).find((field) => !asked.includes(field));
  const missing = asked.filter((field) => (values[field] ?? '') === '');
  if (unknown !== undefined) {
    const why = `${server} has no key “${unknown.slice(0, 80)}”.`;
    throw new PlugError('usage', why, { owner: 'you', server, details: { asked } });
  }
  if (missing.length > 0) {
    const why = `${server} still needs ${missing.map(titleOfName).join(', ')}.`;
    throw new PlugError('missing_input', why, { owner: 'you', server, details: { missing } });
  }
  return fields.map((field) => {
    const value = values[field.replace(/\.url$/, '')] ?? '';
    return { field, value: new Secret(field.endsWith('.url') ? encodeURIComponent(value) : value) };
  });
}
