import { defined } from '../base/defined.ts';
import { type ErrorView, messageOf, PlugError, toPlugError } from '../base/errors.ts';
import { defineServer, type GivenDefinition, type ServerDefinition } from '../servers/definition.ts';
import { diffServers } from '../servers/diff.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import type { ServerOverride } from '../servers/store.ts';
import { addServer, sealDefinition } from './add-server.ts';
import type { Core } from './core.ts';
import { trustServer, untrustServer } from './decisions/server-decisions.ts';
import type { ApplyOutcome, ServerView } from './hub.ts';
import { iconsOf } from './icons/declared.ts';
import { lifecycleOf } from './lifecycle.ts';
import type { Implementations } from './operations/table.ts';
import { withoutSecrets } from './secrets-in.ts';
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
    // Secrets under names of their own stay when the server goes: others may use them.
    credentials: async ({ id }) => {
      workspace.resolved(id);
      const [names, accounts] = await Promise.all([
        core.vault.list(owner),
        accountsOf(core, workspace).list({ server: id }, {}),
      ]);
      return { secrets: names.filter((name) => ownersOf(name).server === id), accounts };
    },
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
        ...(output && { pid: output.pid }),
        stderr: output?.stderr(lines) ?? [],
        noise: output?.noise() ?? { count: 0, lines: [] },
      });
    },
    events: async ({ server, since, limit = limits.eventsListMax }) => {
      const key = server === undefined ? undefined : serverKey(workspace.resolved(server).definition);
      const events = await storage.connections.listEvents(owner, {
        ...defined({ server: key, since }),
        limit: Math.min(limit, limits.eventsListMax),
      });
      return events.map((event) => ({ ...event, server: workspace.idOf(event.server) ?? event.server }));
    },
  };
}

async function remove(core: Core, workspace: Workspace, id: string): Promise<void> {
  const { definition } = workspace.resolved(id);
  if (definition.source.kind === 'file') {
    const why = `${id} is defined in ${definition.source.file}, which is yours: we do not change it.`;
    throw new PlugError('usage', why, { owner: 'you', server: id, remedy: { do: 'disable', server: id } });
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
  // An entry that would take the place of another server is trusted only by its fingerprint.
  const waiting = shown === undefined ? undefined : server.waiting;
  const { definition, untrusted } = server.untrusted ? server : (waiting ?? server);
  if (!untrusted) return; // it is trusted already, or needs no trust
  const { file, fingerprint } = untrusted;
  if (shown !== undefined && shown !== fingerprint) {
    const { id } = definition;
    const why = `${id} changed in ${file} while you looked at it; nothing was trusted.`;
    throw new PlugError('untrusted', why, { owner: 'you', server: id, remedy: { do: 'trust', server: id } });
  }
  await core.storage.servers.putTrust(core.owner, {
    file,
    server: definition.id,
    fingerprint,
    // Only to show what changed one day; the fingerprint alone decides.
    definition: withoutSecrets(definition),
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
  const removed = before.filter(({ id }) => diff.removed.includes(id));
  for (const definition of removed) {
    await forgetCredentials(core, definition);
    await storage.servers.deleteServer(owner, definition.id);
  }
  await workspace.changed();
  for (const definition of removed) await forgetServer(core, definition);
  for (const { definition, changed } of sealed) {
    if (changed) await core.pool.stop(serverKey(definition), 'Its secrets changed.', 'USER');
  }
  return { ...diff, changed: diff.changed.map(({ id }) => id), errors };
}

/** Revokes tokens where the server offers it, then deletes accounts and secrets. May be repeated. */
async function forgetCredentials(core: Core, definition: ServerDefinition): Promise<void> {
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
