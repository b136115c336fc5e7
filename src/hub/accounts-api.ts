import type { Remedy } from '../base/remedy.ts';
import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';
import { ownKeys } from '../servers/own-keys.ts';
import { checkAccount } from '../vault/names.ts';
import type { Account } from '../vault/store.ts';
import type { Core } from './core.ts';
import { setKeys } from './key-accounts.ts';
import { DEFAULT_ACCOUNT } from '../connections/sign-in/sign-in-service.ts';
import type { AccountView, SignInOptions, SignInRequest } from './hub.ts';
import type { Implementations } from './operations/table.ts';
import { serverKey, type Workspace } from './workspace.ts';

export function accountsOf(core: Core, workspace: Workspace): Implementations['accounts'] {
  const { accounts, owner, signIn } = core;
  return {
    list: async ({ server }) => {
      const ids = server === undefined ? workspace.servers.map(({ definition }) => definition.id) : [server];
      const lists = await Promise.all(ids.map((id) => accounts.list(owner, id)));
      return Promise.all(lists.flat().map((account) => viewOf(core, workspace, account)));
    },
    signIn: (request, options) => signInTo(core, workspace, request, options),
    setKeys: async (request, options) => {
      const account = await setKeys(core, workspace, request, options);
      const known = await accounts.find(owner, request.server, account);
      if (!known) throw notFound(`The account ${account} of ${request.server} was removed meanwhile.`);
      return viewOf(core, workspace, known);
    },
    answer: async ({ id, address }) => {
      const resolve = core.pastes.get(id);
      if (!resolve) throw notFound('No sign-in is waiting for this address.');
      resolve(address);
    },
    signOut: async ({ server, account }) => {
      const known = await accounts.find(owner, server, account);
      if (!known) throw notFound(`You are not signed in to ${server}.`);
      const { definition } = workspace.resolved(server);
      await signIn.signOut(definition, known.account);
      await accounts.remove(owner, server, known.account);
      await core.pool.stop(serverKey(definition), 'Signed out.', 'USER');
    },
    setDefault: async ({ server, account }) => {
      await accounts.setDefault(owner, server, account);
      const { definition } = workspace.resolved(server);
      await core.pool.stop(serverKey(definition), 'Another account was chosen.', 'USER');
    },
  };
}

export function secretsOf(core: Core): Implementations['secrets'] {
  const { vault, owner } = core;
  return {
    list: () => vault.list(owner),
    set: ({ name, value }) => vault.set(owner, name, new Secret(value)),
    remove: async ({ name }) => {
      if (!(await vault.delete(owner, name)))
        throw notFound(`There is no secret “${name.slice(0, 80)}”.`, { do: 'show', what: 'secrets' });
    },
    rotate: async ({ to, passphrase }) => {
      const given = passphrase === undefined ? undefined : new Secret(passphrase);
      if (to !== undefined) {
        await vault.changeMasterKey(to, given ? { passphrase: () => Promise.resolve(given) } : {});
      }
      const { resealed } = await vault.rotate();
      return { resealed, ...(to === undefined ? {} : { to }) };
    },
    unlock: ({ passphrase }) => vault.unlock(new Secret(passphrase)),
    hide: async ({ texts }) => {
      await learnAll(core);
      return texts.map((text) => core.redactor.redactText(text));
    },
  };
}

async function signInTo(
  core: Core,
  workspace: Workspace,
  request: SignInRequest,
  { signal, onProgress }: SignInOptions,
): Promise<AccountView> {
  const { accounts, owner, ids, signIn } = core;
  const { server, clientId, clientSecret, callbackPort } = request;
  const { definition } = workspace.resolved(server);
  const known = await accounts.find(owner, server, request.account);
  const account = known?.account ?? request.account ?? DEFAULT_ACCOUNT;
  checkAccount(account);
  // Else the tokens could not be kept once the person has agreed.
  await core.vault.checkUnlocked();
  const target = await signIn.target(definition, account);
  const signIns = await signIn.signIns();
  const before = await signIns.status(target);
  const id = ids.next('sign-in');
  const { promise: pasted, resolve } = Promise.withResolvers<string>();
  core.pastes.set(id, resolve);
  let somebodyElse = false;
  try {
    const { displayName, identity } = await signIns.signIn(target, {
      open: (address) => Promise.resolve(onProgress?.({ id, address: address.href })),
      pasted,
      signal,
      callbackPort,
      ...(clientId ? { manual: { id: clientId, ...(clientSecret ? { secret: clientSecret } : {}) } } : {}),
    });
    const added = known ?? (await accounts.add(owner, { server, account }));
    await accounts.setDisplayName(owner, { server, account }, displayName);
    // The first account ends sessions that began without one, too.
    somebodyElse = before?.identity !== identity && (known !== undefined || added.isDefault);
  } finally {
    core.pastes.delete(id);
  }
  const { key } = workspace.usable(server);
  // One person's session is not handed on to the next.
  if (somebodyElse) await core.pool.stop(key, 'Another person signed in.', 'USER');
  await restart(core, server, key);
  const signedIn = await accounts.find(owner, server, account);
  if (!signedIn) throw notFound(`The account ${account} of ${server} was removed meanwhile.`);
  return viewOf(core, workspace, signedIn);
}

/** A server that waited for the sign-in is started; a failure is its state. */
async function restart(core: Core, server: string, key: string): Promise<void> {
  const connection = await core.pool.connection(key);
  if (connection.state.kind === 'ready') return;
  await connection.restart('USER').catch((error: unknown) => {
    core.logger.warn('not connected after signing in', { server, error: String(error) });
  });
}

async function viewOf(core: Core, workspace: Workspace, account: Account): Promise<AccountView> {
  const { server, displayName, isDefault } = account;
  if (ownKeys(workspace.resolved(server).definition).length > 0) {
    const view = { server, account: account.account, isDefault, signedIn: true, keys: true } as const;
    return { ...view, ...defined({ displayName }) };
  }
  const signIn = await core.signIn.status(workspace.resolved(server).definition, account.account);
  const { tokens, issuer } = signIn ?? {};
  return {
    server,
    account: account.account,
    isDefault,
    signedIn: tokens !== undefined,
    ...defined({ displayName, issuer, scope: tokens?.scope, expiresAt: tokens?.expiresAt }),
  };
}

function notFound(message: string, remedy: Remedy = { do: 'choose-account' }): PlugError {
  return new PlugError('not_found', message, { owner: 'you', remedy });
}

/** Reading a secret makes it known to the redactor. */
async function learnAll({ vault, owner }: Core): Promise<void> {
  for (const name of await vault.list(owner)) {
    try {
      await vault.get(owner, name);
    } catch {
      return; // a locked vault gives out no secret that could be told
    }
  }
}
