import { PlugError, toPlugError, type ErrorView } from '../base/errors.ts';
import { checkServerId, type ServerDefinition } from '../servers/definition.ts';
import { diffServers } from '../servers/diff.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import { addServer } from './add-server.ts';
import type { Core } from './core.ts';
import { trustServer, untrustServer } from './deciding/trusting.ts';
import { credentialsOf, forgetCredentials } from './forget-credentials.ts';
import type { ApplyOutcome, ServersApi, ServerView } from './hub.ts';
import { iconsOf } from './icons/declared.ts';
import { lifecycleOf } from './lifecycle.ts';
import { withoutSecrets } from './secrets-in.ts';
import { sealDefinition } from './seal-definition.ts';
import { listView, viewOf } from './views.ts';
import { keyOf, type Workspace } from './workspace.ts';

/** Definitions: what is known, added, removed and switched. Lifecycle is a part of its own. */
export function serversOf(core: Core, workspace: Workspace): ServersApi {
  const { storage, owner, limits } = core;
  const lifecycle = lifecycleOf(core, workspace);
  const changed = async (id: string): Promise<ServerView> => {
    await workspace.changed();
    return viewOf(core, workspace.resolved(id));
  };
  return {
    ...lifecycle,
    list: () => listView(core, workspace),
    get: async (id) => viewOf(core, workspace.resolved(id)),
    definition: (id) => Promise.resolve().then(() => workspace.resolved(id).definition),
    add: (definition, options = {}) => addServer(core, workspace, lifecycle, { definition, options }),
    remove: (id) => remove(core, workspace, id),
    enable: async (id) => {
      await storage.servers.putOverride(owner, {
        server: workspace.resolved(id).definition.id,
        enabled: true,
      });
      return changed(id);
    },
    disable: async (id) => {
      await storage.servers.putOverride(owner, {
        server: workspace.resolved(id).definition.id,
        enabled: false,
      });
      return changed(id);
    },
    setReadOnly: async (id, readOnly) => {
      await storage.servers.putOverride(owner, { server: workspace.resolved(id).definition.id, readOnly });
      return changed(id);
    },
    setApps: async (id, shown) => {
      const server = workspace.resolved(id).definition.id;
      await storage.servers.putOverride(owner, { server, apps: shown });
      return changed(id);
    },
    credentials: async (id) => credentialsOf(core, workspace, workspace.resolved(id).definition),
    icon: async (id) => {
      const server = workspace.resolved(id);
      const declared = iconsOf(server, core.pool.manifest(keyOf(server.definition)));
      if (declared.length === 0) return {};
      return (await core.adding()).icons.get(declared);
    },
    trust: async (id, { fingerprint, session = false } = {}) => {
      await trustEntry(core, workspace.resolved(id), fingerprint);
      await workspace.changed();
      const server = workspace.pooled(workspace.resolved(id));
      await trustServer(core, server, { session, source: 'you' });
      return viewOf(core, workspace.resolved(id));
    },
    untrust: async (id) => {
      await untrustServer(core, workspace.pooled(workspace.resolved(id)));
      return viewOf(core, workspace.resolved(id));
    },
    apply: (definitions) => apply(core, workspace, definitions),
    reload: () => workspace.reload(),
    logs: (id, { lines = limits.stderrLinesShown } = {}) => {
      const output = core.pool.output(keyOf(workspace.resolved(id).definition));
      return Promise.resolve({
        server: id,
        stderr: output?.stderr(lines) ?? [],
        noise: output?.noise() ?? { count: 0, lines: [] },
      });
    },
    events: async ({ server, since, limit = limits.eventsListMax } = {}) => {
      const events = await storage.connections.listEvents(owner, {
        ...(server === undefined ? {} : { server: keyOf(workspace.resolved(server).definition) }),
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
        next: `plug disable ${id}`,
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
  const { pool, deciding, storage, owner } = core;
  const key = keyOf(definition);
  pool.forget(key);
  await deciding.known.forget(key);
  await deciding.learned.forget(key);
  deciding.grants.forgetServer(key);
  await storage.policy.forgetServer(owner, key);
  await storage.connections.deleteManifest(owner, key);
  await storage.connections.deleteVerdict(owner, key);
}

async function trustEntry(core: Core, server: ResolvedServer, shown: string | undefined): Promise<void> {
  const entry = server.untrusted
    ? { definition: server.definition, untrusted: server.untrusted }
    : server.waiting;
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
        next: `plug trust ${id}`,
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
  definitions: readonly ServerDefinition[],
): Promise<ApplyOutcome> {
  const { storage, owner } = core;
  const errors: Record<string, ErrorView> = {};
  const good = definitions.filter((definition) => {
    try {
      checkServerId(definition.id);
      return true;
    } catch (error) {
      errors[definition.id] = toPlugError(error).toView();
      return false;
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
    if (changed) await core.pool.stop(keyOf(definition), 'Its secrets changed.', 'USER');
  }
  return { ...diff, changed: diff.changed.map(({ id }) => id), errors };
}
