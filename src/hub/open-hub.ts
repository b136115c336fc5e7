import { Cleanup } from '../base/cleanup.ts';
import { overallOf } from '../connections/state.ts';
import type { Profile } from '../servers/profile.ts';
import { PlugError } from '../base/errors.ts';
import { isServerId } from '../servers/definition.ts';
import { accountsOf, secretsOf } from './accounts-api.ts';
import { openCore, type Core, type HubOptions } from './core.ts';
import { backupsOf } from './backup/backups-api.ts';
import { agentApisOf } from './chat-api.ts';
import { agentOf, LIBRARY, type Client } from './client.ts';
import { approvalsOf, shownTo } from './deciding/approvals-api.ts';
import { grantsOf } from './deciding/grants-api.ts';
import { policyOf } from './deciding/policy-api.ts';
import { auditOf, resultsOf } from './deciding/records-api.ts';
import { deferredAdding } from './deferred-adding.ts';
import { doctorOf } from './doctor/doctor-api.ts';
import type { HostsApi, Hub, HubEvent, HubStatus, ProfilesApi, WatchOptions } from './hub.ts';
import { Membership } from './membership.ts';
import { modelsOf } from './models/models-api.ts';
import { redactedHub } from './redacted-hub.ts';
import { promptsOf, resourcesOf } from './resources-api.ts';
import { serversOf } from './servers-api.ts';
import { settingsOf } from './settings-api.ts';
import { toolsOf } from './tools-api.ts';
import { stateOf } from './views.ts';
import { blocked, keyOf, Workspace } from './workspace.ts';

export type { HubOptions } from './core.ts';

/** The hub as seen from its first folder; `in` shows the same hub from another one. */
export interface RootHub extends Hub {
  in(folder: string, client?: Client): Promise<Hub>;
  /** The same folder, for a client of its own. */
  as(client: Client): Hub;
}

/** Opens the in-process hub: nothing is started, everything known is there at once. */
export async function openHub(options: HubOptions): Promise<RootHub> {
  await using half = new Cleanup();
  const core = half.use(await openCore(options));
  const membership = new Membership();
  const workspaces = new Map<string, Promise<Workspace>>();
  half.defer(async () => {
    for (const workspace of await Promise.all(workspaces.values())) await workspace.close();
  });
  const workspaceIn = (folder: string): Promise<Workspace> => {
    const known = workspaces.get(folder) ?? Workspace.open(core, folder, membership);
    // Set anew, so that the one longest unused comes first.
    workspaces.delete(folder);
    workspaces.set(folder, known);
    forgetOldest(core, workspaces, options.cwd);
    return known;
  };
  const first = await workspaceIn(options.cwd);
  const whole = half.move();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= whole.disposeAsync());
  const root = faceOf(core, first, LIBRARY, close);
  return {
    ...root,
    // Another folder's view does not own the hub: closing it closes nothing.
    as: (client) => faceOf(core, first, client, () => Promise.resolve()),
    in: async (folder, client = LIBRARY) =>
      faceOf(core, await workspaceIn(folder), client, () => Promise.resolve()),
  };
}

/** A hub that is asked from ever new folders forgets those that nobody has used for longest. */
function forgetOldest(core: Core, workspaces: Map<string, Promise<Workspace>>, first: string): void {
  for (const [folder, workspace] of workspaces) {
    if (workspaces.size <= core.limits.workspacesMax) return;
    if (folder === first) continue;
    workspaces.delete(folder);
    core.tasks.run('forget a folder', async () => (await workspace).close());
  }
}

/** Whatever leaves by this face leaves without secrets. */
function faceOf(core: Core, workspace: Workspace, client: Client, close: () => Promise<void>): Hub {
  const isName = (text: string): boolean => workspace.knows(text);
  return redactedHub(openFace(core, workspace, client, close), { redaction: core.redactor, isName });
}

function openFace(core: Core, workspace: Workspace, client: Client, close: () => Promise<void>): Hub {
  return {
    servers: serversOf(core, workspace),
    tools: toolsOf(core, workspace, client),
    resources: resourcesOf(core, workspace),
    prompts: promptsOf(core, workspace),
    profiles: profilesOf(core),
    hosts: hostsOf(core),
    accounts: accountsOf(core, workspace),
    secrets: secretsOf(core),
    ...deferredAdding(async () => {
      const [{ addingOf }, parts] = await Promise.all([import('./adding/open.ts'), core.adding()]);
      return addingOf(core, parts, workspace);
    }),
    policy: policyOf(core, workspace),
    grants: grantsOf(core, workspace),
    approvals: approvalsOf(core, client),
    audit: auditOf(core, workspace),
    results: resultsOf(core),
    models: modelsOf(core),
    ...agentApisOf(core, () => faceOf(core, workspace, agentOf(client), () => Promise.resolve())),
    settings: settingsOf(core),
    doctor: doctorOf(core, workspace),
    backups: backupsOf(core, workspace),
    status: () => statusOf(core, workspace),
    watch: (options = {}) => watch(core, workspace, client, options),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function statusOf(core: Core, workspace: Workspace): Promise<HubStatus> {
  const states = workspace.servers.map((server) => stateOf(core, server));
  const counts: Partial<Record<(typeof states)[number]['kind'], number>> = {};
  for (const { kind } of states) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    version: core.options.version,
    pid: process.pid,
    overall: overallOf(states),
    counts,
    tools: toolCount(core, workspace),
    live: core.pool.live,
    startedAt: core.startedAt,
    home: core.options.paths.data,
    storage: core.storage.kind,
    vault: await core.vault.status(),
    memoryBytes: process.memoryUsage.rss(),
  };
}

function toolCount(core: Core, workspace: Workspace): number {
  return workspace.servers
    .filter((server) => !blocked(server))
    .reduce((sum, { definition }) => sum + (core.pool.manifest(keyOf(definition))?.tools.length ?? 0), 0);
}

/** Events of servers that this workspace knows, under the ids it knows them by. */
async function* watch(
  core: Core,
  workspace: Workspace,
  client: Client,
  { signal, calls }: WatchOptions,
): AsyncGenerator<HubEvent, void, void> {
  const dropped: HubEvent[] = [];
  const onDropped = (count: number): number => dropped.push({ kind: 'events-dropped', count });
  for await (const event of core.events.read({
    signal,
    onDropped,
    wants: calls === false ? isNoCall : undefined,
  })) {
    yield* dropped.splice(0);
    if (!('server' in event)) {
      yield event;
      continue;
    }
    const id = workspace.idOf(event.server);
    if (id === undefined) continue;
    if (event.kind === 'server-state' && event.event) {
      yield { ...event, server: id, event: { ...event.event, server: id } };
    } else if (event.kind === 'approval-request') {
      yield { ...event, server: id, approval: shownTo(client, event.approval) };
    } else yield { ...event, server: id };
  }
}

function isNoCall({ kind }: HubEvent): boolean {
  return kind !== 'call';
}

function profilesOf(core: Core): ProfilesApi {
  const { storage, owner } = core;
  return {
    list: () => storage.servers.listProfiles(owner),
    save: async (profile: Profile) => {
      if (!isServerId(profile.name)) {
        throw new PlugError('usage', `“${profile.name.slice(0, 80)}” cannot be a profile's name.`, {
          owner: 'you',
          next: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore.',
        });
      }
      await storage.servers.putProfile(owner, profile);
      core.events.send({ kind: 'tools-change' });
    },
    remove: async (name) => {
      if (await storage.servers.deleteProfile(owner, name)) {
        core.events.send({ kind: 'tools-change' });
        return;
      }
      throw new PlugError('not_found', `There is no profile “${name.slice(0, 80)}”.`, {
        owner: 'you',
        next: 'plug profile list',
      });
    },
  };
}

function hostsOf(core: Core): HostsApi {
  return {
    attach: ({ name, handlers, cwd }) => {
      const id = core.ids.next('host');
      const shown = name.slice(0, core.limits.hostNameCharsMax);
      core.hosts.set(id, { id, name: shown, handlers, ...(cwd === undefined ? {} : { cwd }) });
      const close = async (): Promise<void> => {
        if (core.hosts.delete(id)) await core.pool.detach(id);
      };
      const rootsChanged = (): void => core.pool.rootsChanged(id);
      return Promise.resolve({ id, rootsChanged, close, [Symbol.asyncDispose]: close });
    },
  };
}
