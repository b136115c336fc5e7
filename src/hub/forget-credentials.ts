import { messageOf } from '../base/errors.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { ownersOf } from '../vault/names.ts';
import { accountsOf } from './accounts-api.ts';
import type { Core } from './core.ts';
import type { ServerCredentials } from './hub.ts';
import { DEFAULT_ACCOUNT } from './sign-in-service.ts';
import type { Workspace } from './workspace.ts';

/**
 * Everything that was kept for a server goes with it: tokens are revoked where the server offers
 * it, then accounts and secrets are deleted. May be repeated.
 */
export async function forgetCredentials(
  core: Pick<Core, 'accounts' | 'owner' | 'signIn' | 'logger'>,
  definition: ServerDefinition,
): Promise<void> {
  const { accounts, owner } = core;
  const { id, endpoint } = definition;
  if (endpoint.kind !== 'stdio') {
    const known = (await accounts.list(owner, id)).map(({ account }) => account);
    // A sign-in that was interrupted may have left tokens before its account was written down.
    for (const account of new Set([...known, DEFAULT_ACCOUNT])) await revoke(core, definition, account);
  }
  await accounts.removeServer(owner, id);
}

/** What `forgetCredentials` would forget, by name. Secrets under names of their own stay: others may use them. */
export async function credentialsOf(
  core: Core,
  workspace: Workspace,
  { id }: ServerDefinition,
): Promise<ServerCredentials> {
  const [names, accounts] = await Promise.all([
    core.vault.list(core.owner),
    accountsOf(core, workspace).list({ server: id }),
  ]);
  return { secrets: names.filter((name) => ownersOf(name).server === id), accounts };
}

/** What cannot be revoked is deleted all the same: nobody is kept from removing a broken server. */
async function revoke(
  { signIn, logger }: Pick<Core, 'signIn' | 'logger'>,
  definition: ServerDefinition,
  account: string,
): Promise<void> {
  try {
    await signIn.signOut(definition, account);
  } catch (error) {
    logger.warn('tokens could not be revoked', { server: definition.id, error: messageOf(error) });
  }
}
