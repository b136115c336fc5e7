import { type ErrorView, messageOf, PlugError, toPlugError } from '../base/errors.ts';
import { defineServer, type GivenDefinition, type ServerDefinition } from '../servers/definition.ts';
import { diffServers } from '../servers/diff.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import type { ServerOverride } from '../servers/store.ts';
import { addServer } from './add-server.ts';
import type { Core } from './core.ts';
import { trustServer, untrustServer } from './decisions/server-decisions.ts';
import type { ApplyOutcome, ServerCredentials, ServerView } from './hub.ts';
import { iconsOf } from './icons/declared.ts';
import { lifecycleOf } from './lifecycle.ts';
import type { Implementations } from './operations/table.ts';
import { withoutSecrets } from './secrets-in.ts';
import { sealDefinition } from './seal-definition.ts';
import { listView, viewOf } from './views.ts';
import { serverKey, type Workspace } from './workspace.ts';
import { ownersOf } from '../vault/names.ts';
import { accountsOf } from './accounts-api.ts';
import { DEFAULT_ACCOUNT } from '../connections/sign-in/sign-in-service.ts';

export function serversOf(core: Core, workspace: Workspace): Implementations['servers'] {
  const { storage, owner, limits } = core;
  const lifecycle = lifecycleOf(core, workspace);
  const override = async (id: string, what: Omit<ServerOverride, 'server'>): Promise<ServerView> => {
    await storage.servers.putOverride(owner, { server: workspace.resolved(id).definition.id, ...what });
    await workspace.changed();
    return viewOf(core, workspace.resolved(id));
  };
  return {
    ...lifecycle,
    list: () => listView(core, workspace),
    get: async ({ id }) => viewOf(core, workspace.resolved(id)),
    definition: ({ id }) => Promise.resolve().then(() => workspace.resolved(id).definition),
    add: async ({ definition, ...how }, { signal }) =>
      addServer(core, workspace, lifecycle, {
        definition: defineServer(definition),
        options: { ...how, ...(signal ? { signal } : {}) },
      }),
    remove: ({ id }) => remove(core, workspace, id),
    enable: ({ id }) => override(id, { enabled: true }),
    disable: ({ id }) => override(id, { enabled: false }),
    setReadOnly: ({ id, readOnly }) => override(id, { readOnly }),
    setApps: ({ id, shown }) => override(id, { apps: shown }),
    credentials: async ({ id }) => credentialsOf(core, workspace, workspace.resolved(id).definition),
    icon: async ({ id }) => {
      const server = workspace.resolved(id);
      const declared = iconsOf(server, core.pool.manifest(serverKey(server.definition)));
      if (declared.length === 0) return {};
      return (await core.planParts()).icons.get(declared);
    },
    trust: async ({ id, fingerprint, session = false }) => {
      await trustEntry(core, workspace.resolved(id), fingerprint);
      await workspace.changed();
      const server = workspace.pooled(workspace.resolved(id));
      await trustServer(core, server, { session, source: 'you' });
      return viewOf(core, workspace.resolved(id));
    },
    untrust: async ({ id }) => {
      await untrustServer(core, workspace.pooled(workspace.resolved(id)));
      return viewOf(core, workspace.resolved(id));
    },
    apply: ({ definitions }) => apply(core, workspace, definitions),
    reload: () => workspace.reload(),
    logs: ({ id, lines = limits.stderrLinesShown }) => {
      const output = core.pool.output(serverKey(workspace.resolved(id).definition));
      return Promise.resolve({
        server: id,
        stderr: output?.stderr(lines) ?? [],
        noise: output?.noise() ?? { count: 0, lines: [] },
      });
    },
    events: async ({ server, since, limit = limits.eventsListMax }) => {
      const events = await storage.connections.listEvents(owner, {
        ...(server === undefined ? {} : { server: serverKey(workspace.resolved(server).definition) }),
        ...(since === undefined ? {} : { since }),
        limit: Math.min(limit, limits.eventsListMax),
      });
      return events.map((event) => ({ ...event, server: workspace.idOf(event.server) ?? event.server }));
    },
  };
}

async function remove(core: Core, workspace: Workspace, id: string): Promise<void> {
  const { definition } = workspace.resolved(id);
  if (definition.source.kind === 'file') {
    throw new PlugError(
      'usage',
      `${id} is defined in ${definition.source.file}, which is yours: we do not change it.`,
      {
        owner: 'you',
        server: id,
        remedy: { do: 'disable', server: id },
      },
    );
  }
  const { storage, owner } = core;
  // Secrets first: a crash in between leaves a server without its keys, never keys without a server.
  await forgetCredentials(core, definition);
  await storage.servers.deleteServer(owner, id);
  await storage.servers.deleteOverride(owner, id);
  await workspace.changed();
  await forgetServer(core, definition);
}

/** What was learnt about a server and decided about its tools goes with it. */
async function forgetServer(core: Core, definition: ServerDefinition): Promise<void> {
  const { pool, decisions, storage, owner } = core;
  const key = serverKey(definition);
  pool.forget(key);
  await decisions.known.forget(key);
  await decisions.learned.forget(key);
  decisions.grants.forgetServer(key);
  await storage.policy.forgetServer(owner, key);
  await storage.connections.deleteManifest(owner, key);
  await storage.connections.deleteVerdict(owner, key);
}

async function trustEntry(core: Core, server: ResolvedServer, shown: string | undefined): Promise<void> {
  const { waiting } = server;
  // One that would take the place of a server of the user's is meant only where it was shown.
  const entry = server.untrusted
    ? { definition: server.definition, untrusted: server.untrusted }
    : shown === undefined
      ? undefined
      : waiting;
  if (!entry) return; // it is trusted already, or needs no trust
  const { file, fingerprint } = entry.untrusted;
  if (shown !== undefined && shown !== fingerprint) {
    const { id } = entry.definition;
    throw new PlugError(
      'untrusted',
      `${id} changed in ${file} while you looked at it; nothing was trusted.`,
      {
        owner: 'you',
        server: id,
        remedy: { do: 'trust', server: id },
      },
    );
  }
  await core.storage.servers.putTrust(core.owner, {
    file,
    server: entry.definition.id,
    fingerprint,
    // Kept to show what changed one day; the fingerprint alone decides.
    definition: withoutSecrets(entry.definition),
    trustedAt: core.clock.now(),
  });
}

/** Makes the database hold exactly these servers. One bad definition does not stop the others. */
async function apply(
  core: Core,
  workspace: Workspace,
  definitions: readonly GivenDefinition[],
): Promise<ApplyOutcome> {
  const { storage, owner } = core;
  const errors: Record<string, ErrorView> = {};
  const good = definitions.flatMap((definition) => {
    try {
      return [defineServer(definition)];
    } catch (error) {
      errors[definition.id] = toPlugError(error).toView();
      return [];
    }
  });
  const sealed = await Promise.all(good.map((definition) => sealDefinition(core, definition)));
  const before = await storage.servers.listServers(owner);
  const now = sealed.map(({ definition }) => definition);
  const diff = diffServers(before, now);
  const touched = new Set([...diff.added, ...diff.changed.map(({ id }) => id)]);
  for (const definition of now) {
    if (touched.has(definition.id)) await storage.servers.putServer(owner, definition);
  }
  for (const definition of before) {
    if (!diff.removed.includes(definition.id)) continue;
    await forgetCredentials(core, definition);
    await storage.servers.deleteServer(owner, definition.id);
  }
  await workspace.changed();
  for (const definition of before) {
    if (diff.removed.includes(definition.id)) await forgetServer(core, definition);
  }
  for (const { definition, changed } of sealed) {
    if (changed) await core.pool.stop(serverKey(definition), 'Its secrets changed.', 'USER');
  }
  return { ...diff, changed: diff.changed.map(({ id }) => id), errors };
}

/** Revokes tokens where the server offers it, then deletes accounts and secrets. May be repeated. */
async function forgetCredentials(
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
async function credentialsOf(
  core: Core,
  workspace: Workspace,
  { id }: ServerDefinition,
): Promise<ServerCredentials> {
  const [names, accounts] = await Promise.all([
    core.vault.list(core.owner),
    accountsOf(core, workspace).list({ server: id }, {}),
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
