import { messageOf } from '../base/errors.ts';
import { DEFAULT_ACCOUNT } from '../connections/sign-in/sign-in-service.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Core } from './core.ts';
import { serverKey, type Workspace } from './workspace.ts';

/** Removes a stored server with everything that belongs to it. */
export async function forgetStored(
  core: Core,
  workspace: Workspace,
  definition: ServerDefinition,
): Promise<void> {
  const { storage, owner } = core;
  const { id } = definition;
  // Secrets first: a crash in between leaves a server without its keys, never keys without a server.
  await forgetCredentials(core, definition);
  await storage.servers.deleteServer(owner, id);
  await storage.servers.deleteOverride(owner, id);
  await workspace.changed();
  await forgetLearned(core, definition);
}

/** What was learnt about a server and decided about its tools goes with it. */
export async function forgetLearned(core: Core, definition: ServerDefinition): Promise<void> {
  const { pool, decisions, storage, owner } = core;
  const key = serverKey(definition);
  pool.forget(key);
  await decisions.known.forget(key);
  await decisions.learned.forget(key);
  await decisions.queries.forget(key);
  decisions.search.forget(definition.id);
  decisions.grants.forgetServer(key);
  await core.versions.forget(key);
  await storage.policy.forgetServer(owner, key);
  await storage.connections.deleteManifest(owner, key);
  await storage.connections.deleteVerdict(owner, key);
}

/** Revokes tokens where the server offers it, then deletes accounts and secrets. May be repeated. */
export async function forgetCredentials(core: Core, definition: ServerDefinition): Promise<void> {
  const { accounts, owner, signIn, logger } = core;
  const { id, endpoint } = definition;
  if (endpoint.kind !== 'stdio') {
    const known = (await accounts.list(owner, id)).map(({ account }) => account);
    // A sign-in that was interrupted may have left tokens before its account was written down.
    for (const account of new Set([...known, DEFAULT_ACCOUNT])) {
      // A broken server can be removed too: its tokens are then only deleted.
      await signIn.signOut(definition, account).catch((error: unknown) => {
        logger.warn('tokens could not be revoked', { server: id, error: messageOf(error) });
      });
    }
  }
  await accounts.removeServer(owner, id);
}
