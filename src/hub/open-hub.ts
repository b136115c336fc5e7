import { Cleanup } from '../base/cleanup.ts';
import { overallOf, type ServerState } from '../connections/state.ts';
import { PlugError } from '../base/errors.ts';
import { isServerId } from '../servers/definition.ts';
import { accountsOf, secretsOf } from './accounts-api.ts';
import { type Core, type HubOptions, openCore } from './core.ts';
import { clientsOf } from './clients-api.ts';
import { agentOf, type Client, LIBRARY } from './client.ts';
import { approvalsOf, grantsOf, policyOf, shownTo } from './decisions/grants-api.ts';
import { hostsOf } from './hosts-api.ts';
import type { Answerer, ApprovalAnswer, ApprovalOutcome } from '../policy/approval.ts';
import type { HostTokens } from '../policy/host-tokens.ts';
import { auditOf, resultsOf } from './decisions/records-api.ts';
import { dispatch } from './dispatch.ts';
import type { Hub, HubEvent, HubStatus, WatchOptions } from './hub.ts';
import { Membership } from './membership.ts';
import { modelsOf } from './models/models-api.ts';
import { noSuch } from './no-such.ts';
import { redactedHub } from './redacted-hub.ts';
import { promptsOf, resourcesOf } from './resources-api.ts';
import { serversOf } from './servers-api.ts';
import { settingsOf } from './settings-file.ts';
import { countOffered, toolsOf } from './tools-api.ts';
import { stateOf } from './views.ts';
import { Workspace } from './workspace.ts';
import { lazyObject } from '../base/lazy-object.ts';
import { AREAS, deferred, type Area, type Implementations } from './operations/table.ts';
import type { Agent, AgentChat } from './agent.ts';
import type { ChatRuns } from './chat-runs.ts';

export type { HubOptions } from './core.ts';

/** The hub as seen from its first folder; `in` shows the same hub from another one. */
export interface RootHub extends Hub {
  in(folder: string, client?: Client): Promise<Hub>;
  as(client: Client): Hub;
  readonly hostTokens: HostTokens;
  /** An answer by another member of the team; the team has checked that they may give it. */
  approve(id: string, answer: ApprovalAnswer, by: Answerer): Promise<ApprovalOutcome>;
  /** Nothing is under way, and nothing is in memory alone: closed now and opened again, it is the same. */
  isAtRest(): boolean;
  /** What others share was changed: servers and rules. */
  reloadShared(): Promise<void>;
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
  return Object.assign(faceOf(core, first, LIBRARY, close), {
    hostTokens: core.decisions.hostTokens,
    approve: (id: string, answer: ApprovalAnswer, by: Answerer) =>
      core.decisions.approvals.answer(id, answer, by),
    isAtRest: () => isAtRest(core),
    reloadShared: async () => {
      await core.decisions.policy.reload();
      await membership.reloadAll();
      core.events.send({ kind: 'tools-change' });
    },
    // Another folder's view does not own the hub: closing it closes nothing.
    as: (client: Client) => faceOf(core, first, client, () => Promise.resolve()),
    in: async (folder: string, client: Client = LIBRARY) =>
      faceOf(core, await workspaceIn(folder), client, () => Promise.resolve()),
  });
}

function isAtRest({ decisions, pool, hosts, pastes }: Core): boolean {
  const { audit, approvals, grants, origins, taskAccounts } = decisions;
  const isIdle = audit.isIdle && approvals.isEmpty && hosts.size === 0 && pastes.size === 0;
  return isIdle && !grants.hasOfSession && origins.isEmpty && taskAccounts.isEmpty && !pool.holdsSessions;
}

/** Forgets the folders that were unused for longest. */
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
  const hub: Hub = Object.assign(dispatch(implementationsOf(core, workspace, client), client.principal), {
    status: () => statusOf(core, workspace),
    watch: (options: WatchOptions = {}) => watch(core, workspace, client, options),
    close,
    [Symbol.asyncDispose]: close,
  });
  return redactedHub(hub, { redaction: core.redactor, isName });
}

function implementationsOf(core: Core, workspace: Workspace, client: Client): Implementations {
  const face = (): Hub => faceOf(core, workspace, agentOf(client), () => Promise.resolve());
  let agent: Promise<Agent> | undefined;
  const opened = (): Promise<Agent> | undefined => (agent ??= core.options.openAgent?.(face()));
  return lazyImplementations((area) => MAKERS[area]({ core, workspace, client, agent: opened }));
}

const lazyImplementations = lazyObject<Implementations>(AREAS);

interface FaceParts {
  readonly core: Core;
  readonly workspace: Workspace;
  readonly client: Client;
  /** The same for all areas of a face. */
  readonly agent: () => Promise<Agent> | undefined;
}

/** Most faces are asked for few areas, and most hubs never for those whose code is loaded later. */
const MAKERS: { readonly [Name in Area]: (parts: FaceParts) => Implementations[Name] } = {
  servers: ({ core, workspace }) => serversOf(core, workspace),
  tools: ({ core, workspace, client }) => toolsOf(core, workspace, client),
  resources: ({ core, workspace, client }) => resourcesOf(core, workspace, client),
  prompts: ({ core, workspace, client }) => promptsOf(core, workspace, client),
  profiles: ({ core }) => profilesOf(core),
  hosts: ({ core, client }) => hostsOf(core, client),
  accounts: ({ core, workspace }) => accountsOf(core, workspace),
  secrets: ({ core }) => secretsOf(core),
  imports: (parts) => plansOf(parts).imports,
  registries: (parts) => plansOf(parts).registries,
  plans: (parts) => plansOf(parts).plans,
  policy: ({ core, workspace, client }) => policyOf(core, workspace, client),
  grants: ({ core, workspace, client }) => grantsOf(core, workspace, client),
  approvals: ({ core, client }) => approvalsOf(core, client),
  audit: ({ core, workspace }) => auditOf(core, workspace),
  results: ({ core }) => resultsOf(core),
  models: ({ core }) => modelsOf(core),
  chat: (parts) => agentApisOf(parts).chat,
  configuring: (parts) => agentApisOf(parts).configuring,
  settings: ({ core }) => settingsOf(core),
  doctor: ({ core, workspace }) =>
    deferred(['doctor'], async () => (await import('./doctor/run.ts')).doctorOf(core, workspace)).doctor,
  clients: ({ core, workspace }) => clientsOf(core, workspace),
  changes: ({ core, workspace }) =>
    deferred(['changes'], async () => (await import('./changes/changes-api.ts')).changesOf(core, workspace))
      .changes,
  setup: ({ core, workspace }) =>
    deferred(['setup'], async () => (await import('./setup/setup-api.ts')).setupOf(core, workspace)).setup,
  updates: ({ core, workspace }) =>
    deferred(['updates'], async () => (await import('./versions/updates-api.ts')).updatesOf(core, workspace))
      .updates,
  backups: ({ core, workspace }) =>
    deferred(['backups'], async () => (await import('./backup/restore.ts')).backupsOf(core, workspace))
      .backups,
};

function plansOf({ core, workspace }: FaceParts): Pick<Implementations, 'imports' | 'registries' | 'plans'> {
  return deferred(['imports', 'registries', 'plans'], async () => {
    const [{ planOperations }, parts] = await Promise.all([import('./plans/open.ts'), core.planParts()]);
    return planOperations(core, parts, workspace);
  });
}

async function statusOf(core: Core, workspace: Workspace): Promise<HubStatus> {
  const states = workspace.servers.map((server) => stateOf(core, server));
  const counts: { [Kind in ServerState['kind']]?: number } = {};
  for (const { kind } of states) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    version: core.options.version,
    pid: process.pid,
    overall: overallOf(states),
    counts,
    tools: countOffered(core, workspace),
    live: core.pool.live,
    startedAt: core.startedAt,
    // Where the hub's machine keeps it is of no use to somebody elsewhere.
    home: core.options.tenancy ? '' : core.options.paths.data,
    storage: core.storage.kind,
    vault: await core.vault.status(),
    memoryBytes: process.memoryUsage.rss(),
    packages: await core.packaged.size(),
    readOnly: core.settings.readOnly,
  };
}

type StateEvent = Extract<HubEvent, { readonly kind: 'server-state' }>;

/** Events of servers that this workspace knows, under the ids it knows them by. */
async function* watch(
  core: Core,
  workspace: Workspace,
  client: Client,
  { signal, calls }: WatchOptions,
): AsyncGenerator<HubEvent, void, void> {
  const dropped: HubEvent[] = [];
  const onDropped = (count: number): number => dropped.push({ kind: 'events-dropped', count });
  const wants = calls === false ? ({ kind }: HubEvent): boolean => kind !== 'call' : undefined;
  for await (const event of core.events.read({ signal, onDropped, wants })) {
    yield* dropped.splice(0);
    const id = 'server' in event ? workspace.idOf(event.server) : undefined;
    if (!('server' in event)) yield event;
    else if (id === undefined) continue;
    else if (event.kind === 'server-state') yield stateEvent(core, workspace, id, event);
    else if (event.kind === 'approval-request') {
      yield { ...event, server: id, approval: shownTo(client, event.approval) };
    } else yield { ...event, server: id };
  }
}

/** With the state that a list shows: what was turned off is off, though its connection only fell asleep. */
function stateEvent(core: Core, workspace: Workspace, id: string, told: StateEvent): StateEvent {
  const server = workspace.find(id);
  const state = server ? stateOf(core, server, told.state) : told.state;
  return { ...told, server: id, state, ...(told.event ? { event: { ...told.event, server: id } } : {}) };
}

function profilesOf(core: Core): Implementations['profiles'] {
  const { storage, owner } = core;
  return {
    list: () => storage.servers.listProfiles(owner),
    save: async (profile) => {
      if (!isServerId(profile.name)) {
        const message = `“${profile.name.slice(0, 80)}” cannot be a profile's name.`;
        const remedy = 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore.';
        throw new PlugError('usage', message, { owner: 'you', remedy });
      }
      await storage.servers.putProfile(owner, profile);
      if (profile.readOnly) core.decisions.approvals.bar({ by: 'profile', name: profile.name });
      core.events.send({ kind: 'tools-change' });
    },
    remove: async ({ name }) => {
      if (!(await storage.servers.deleteProfile(owner, name))) throw noSuch('profile', name);
      core.events.send({ kind: 'tools-change' });
    },
  };
}

function agentApisOf({ core, client, agent }: FaceParts): Pick<Implementations, 'chat' | 'configuring'> {
  return deferred(['chat', 'configuring'], async () => {
    const opened = await agent();
    if (!opened) throw new PlugError('unsupported', 'This hub has no models.', { owner: 'plugboard' });
    const { chat, configuring } = opened;
    return { chat: chatOf(core.chatRuns, chat, client.principal.id), configuring };
  });
}

function chatOf(runs: ChatRuns, agent: AgentChat, by: string): Implementations['chat'] {
  return {
    turn: (request, options) => runs.turn({ agent, request, by, options }),
    follow: ({ run, host }, options) => runs.follow({ run, by, host, options }),
    stop: async ({ run }) => runs.stop(run, by),
    suggest: agent.suggest,
  };
}
