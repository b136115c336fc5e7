import { keyFields } from '../servers/own-keys.ts';
import { titleOfName } from '../servers/plans/needs.ts';
import { defined } from '../base/defined.ts';
import { type ErrorView, PlugError, toPlugError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';
import { defineServer, type GivenDefinition } from '../servers/definition.ts';
import { diffServers } from '../servers/diff.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import type { ServerOverride } from '../servers/store.ts';
import { addServer, sealDefinition } from './add-server.ts';
import { addition } from './changes/addition.ts';
import type { Core } from './core.ts';
import { trustServer, untrustServer } from './decisions/server-decisions.ts';
import { forgetCredentials, forgetLearned, forgetStored } from './forget-server.ts';
import type { ApplyOutcome, ChangeKind, ServerTraffic, ServerView } from './hub.ts';
import { installPackage } from './install-package.ts';
import { iconsOf } from './icons/declared.ts';
import { lifecycleOf } from './lifecycle.ts';
import type { Implementations } from './operations/table.ts';
import { withoutSecrets } from './secrets-in.ts';
import { listView, viewOf } from './views.ts';
import { serverKey, type Workspace } from './workspace.ts';
import { ownersOf } from '../vault/names.ts';
import { accountsOf } from './accounts-api.ts';

export function serversOf(core: Core, workspace: Workspace): Implementations['servers'] {
  const { storage, owner, limits } = core;
  const lifecycle = lifecycleOf(core, workspace);
  const override = async (
    id: string,
    what: Omit<ServerOverride, 'server'>,
    kind: ChangeKind = 'set',
  ): Promise<ServerView> => {
    const { id: server } = workspace.resolved(id).definition;
    return await core.changes.during({ kind, names: [id], servers: [server] }, async () => {
      await storage.servers.putOverride(owner, { server, ...what });
      await workspace.changed();
      return viewOf(core, workspace.resolved(id));
    });
  };
  const trafficOf = (id: string, after?: number): ServerTraffic => ({
    server: id,
    ...core.pool.traffic.read(serverKey(workspace.resolved(id).definition), after),
  });
  return {
    ...lifecycle,
    list: () => listView(core, workspace),
    get: async ({ id }) => viewOf(core, workspace.resolved(id)),
    definition: ({ id }) => Promise.resolve().then(() => workspace.resolved(id).definition),
    add: async ({ definition, secrets = {}, ...how }, { signal }) =>
      core.changes.during(addition(workspace, definition.id), () =>
        addServer(core, workspace, lifecycle, {
          filled: {
            definition: defineServer(definition),
            secrets: Object.entries(secrets).map(([name, value]) => ({ name, value: new Secret(value) })),
          },
          options: { ...how, ...(signal ? { signal } : {}) },
        }),
      ),
    remove: ({ id }) => remove(core, workspace, id),
    enable: ({ id }) => override(id, { enabled: true }, 'enable'),
    disable: ({ id }) => override(id, { enabled: false }, 'disable'),
    setReadOnly: ({ id, readOnly }) => override(id, { readOnly }),
    setApps: ({ id, shown }) => override(id, { apps: shown }),
    // Secrets under names of their own stay when the server goes: others may use them.
    credentials: async ({ id }) => {
      const { definition } = workspace.resolved(id);
      const [names, accounts] = await Promise.all([
        core.vault.list(owner),
        accountsOf(core, workspace).list({ server: id }, {}),
      ]);
      const keys = keyFields(definition).map((field) => ({ field, title: titleOfName(field) }));
      return { secrets: names.filter((name) => ownersOf(name).server === id), accounts, keys };
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
    install: ({ id, scripts = false }, options) =>
      installPackage(core, workspace, { id, scripts, ...options }),
    untrust: async ({ id }) => {
      await untrustServer(core, workspace.pooled(workspace.resolved(id)));
      return viewOf(core, workspace.resolved(id));
    },
    apply: async ({ definitions }) => {
      const before = (await storage.servers.listServers(owner)).map(({ id }) => id);
      const servers = [...new Set([...before, ...definitions.map(({ id }) => id)])];
      const what = { kind: 'apply', names: [], servers } as const;
      return await core.changes.during(what, () => apply(core, workspace, definitions));
    },
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
    traffic: ({ id, after }) => Promise.resolve().then(() => trafficOf(id, after)),
    recordTraffic: ({ id, recorded }) =>
      Promise.resolve().then(() => {
        const key = serverKey(workspace.resolved(id).definition);
        if (recorded) core.pool.traffic.begin(key);
        else core.pool.traffic.end(key);
        return trafficOf(id);
      }),
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
    const why = `${id} is defined in ${definition.source.file}, which Plugboard doesn’t change.`;
    throw new PlugError('usage', why, { owner: 'you', server: id, remedy: { do: 'disable', server: id } });
  }
  await core.changes.during({ kind: 'remove', names: [id], servers: [id] }, () =>
    forgetStored(core, workspace, definition),
  );
}

async function trustEntry(core: Core, server: ResolvedServer, shown: string | undefined): Promise<void> {
  // An entry that would take the place of another server is trusted only by its fingerprint.
  const waiting = shown === undefined ? undefined : server.waiting;
  const { definition, untrusted } = server.untrusted ? server : (waiting ?? server);
  if (!untrusted) return; // it is trusted already, or needs no trust
  const { file, fingerprint } = untrusted;
  if (shown !== undefined && shown !== fingerprint) {
    const { id } = definition;
    const why = `${id} changed in ${file} while you reviewed it. Nothing was trusted.`;
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
  for (const definition of removed) await forgetLearned(core, definition);
  for (const { definition, changed } of sealed) {
    if (changed) await core.pool.stop(serverKey(definition), 'Its secrets changed.', 'USER');
  }
  return { ...diff, changed: diff.changed.map(({ id }) => id), errors };
}
