import { timeoutSignal } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import { markExternal } from '../calls/external-text/mark.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { PooledServer } from '../connections/pool.ts';
import { raceSignal } from '../connections/live.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Consent } from '../policy/decision.ts';
import { selects } from '../servers/select.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import { forward, hostNamed } from './ask-server.ts';
import { requesterOf, type Client } from './client.ts';
import { unknownHost, type Core } from './core.ts';
import { auditTools, learnedOutputs, toolSettingsOf } from './decisions/tool-settings-api.ts';
import { callOwn, ownCall, ownTools } from './decisions/own-tools.ts';
import { renderForModel } from './decisions/render-tools.ts';
import { unlisted } from './decisions/server-decisions.ts';
import { findTools, learnedQueries, learnFrom, searchList } from './decisions/tool-search.ts';
import { withPeople } from './people.ts';
import { explained, explainedFailure } from './explained.ts';
import type { CallOptions, CallRequest, CallResult, ToolList, ToolQuery } from './hub.ts';
import { stateOf } from './views.ts';
import { blocked, serverKey, type Workspace } from './workspace.ts';
import type { Implementations } from './operations/table.ts';

export function toolsOf(core: Core, workspace: Workspace, client: Client): Implementations['tools'] {
  return {
    list: (options) => list(core, workspace, client, options),
    audit: (options) => auditTools(core, workspace, client, options),
    render: async (options) => {
      const { tools } = await list(core, workspace, client, options);
      const own = options.offers ? await ownTools(core, workspace, client) : [];
      return renderForModel([...tools, ...own], options);
    },
    ...toolSettingsOf(core, workspace),
    call: (request, options) => {
      try {
        const own = ownCall(request.tool, request.args ?? {});
        const answer = own
          ? callOwn(core, workspace, client, own, options)
          : call(core, workspace, client, request, options);
        return request.forModel ? answer.then((whole) => markedForModel(core, whole)) : answer;
      } catch (error) {
        return Promise.reject(toPlugError(error));
      }
    },
    learnedOutputs: (options) => learnedOutputs(core, workspace, options),
    learnedQueries: (options) => learnedQueries(core, workspace, options),
    clearLearnedQueries: () => core.decisions.queries.clear(),
    search: (query) => findTools(core, workspace, client, query),
    task: (request, options) =>
      forward(
        core,
        workspace,
        { principal: client.principal.id, request, passes: TASKS.has(request.method) },
        options,
      ),
  };
}

const TASKS = new Set(['get', 'update', 'cancel', 'result', 'list'].map((verb) => `tasks/${verb}`));

function call(
  core: Core,
  workspace: Workspace,
  client: Client,
  request: CallRequest,
  { signal, onProgress, onApproval, onApprovalEnd, onLog, logLevel, handlers }: CallOptions,
): Promise<CallResult> {
  const find = (id: string): PooledServer => workspace.usable(id);
  const { tool, args = {}, profile, host, account, timeoutMs, meta, whole = false } = request;
  const { passTask, task, readOnly, wholeStructured, fields } = request;
  const attached = host === undefined ? undefined : core.hosts.get(host);
  if (host !== undefined && !attached) return Promise.reject(unknownHost(host));
  const asked = {
    tool,
    args,
    principal: client.principal.id,
    requester: requesterOf(client, attached, request.requester),
    consent: consentOf(client, request),
    approval: request.approval ?? (core.options.approve ? ('wait' as const) : ('refuse' as const)),
    whole,
    wholeStructured,
    readOnly,
    host: attached,
    account,
    timeoutMs,
    meta,
    fields,
    signal,
    onProgress,
    onApproval,
    onApprovalEnd,
    onLog,
    logLevel,
    handlers: handlers && withPeople(core.hosts, handlers),
    passTask,
    task,
  };
  // The usual call names no profile, and waits for nothing.
  const answer =
    profile === undefined
      ? core.decisions.calls.call(asked, find)
      : workspace
          .profile(profile)
          .then((found) => core.decisions.calls.call({ ...asked, profile: found }, find));
  return learnFrom(core, workspace, { client, host, call: answer });
}

/** A model's client is a library and a host has a host's id: neither is a page, and neither fills in forms. */
function consentOf({ kind }: Client, { consent, requester, host }: CallRequest): Consent | undefined {
  if (consent === undefined) return undefined;
  if (kind === 'page' && requester === 'person' && host === undefined) return { kind: consent };
  const message = 'Only the page can send “consent”.';
  throw new PlugError('denied', message, { owner: 'you', remedy: 'Call it without “consent”.' });
}

/** The boundary is new each time, so that the text's author can't know it. */
function markedForModel({ ids }: Core, answer: CallResult): CallResult {
  const { server, tool, result } = answer;
  return { ...answer, result: markExternal(result, { server, tool, boundary: ids.next('ext') }) };
}

/** Starts no server, except the one that was asked for by name and never connected. */
async function list(core: Core, workspace: Workspace, client: Client, options: ToolQuery): Promise<ToolList> {
  const profile = await workspace.profile(options.profile);
  const one = options.server === undefined ? undefined : workspace.resolved(options.server);
  let stale: string | undefined;
  if (one && !core.pool.manifest(serverKey(one.definition))) {
    const connection = await core.pool.connection(workspace.usable(one.definition.id).key);
    await explained(one.definition, connection.start('USER'));
  }
  // What was just read for the first time is fresh.
  else if (one && options.fresh) stale = await askNow(core, workspace, one.definition, options.host);
  const tools: Tool[] = [];
  const withheld: WithheldTool[] = [];
  const unavailable: ToolList['unavailable'][number][] = [];
  for (const server of one ? [one] : workspace.servers) {
    const { definition } = server;
    if (!selects(profile, definition)) continue;
    // With `failed`, disabled servers are listed too, with the reason.
    if (!one && !definition.enabled && !options.failed) continue;
    const manifest = core.pool.manifest(serverKey(definition));
    const state = unlisted(core, workspace.pooled(server)) ?? stateOf(core, server);
    const known =
      manifest && core.decisions.known.offered(workspace.pooled(server), manifest, profile, options.readOnly);
    const live = !blocked(server) && (LISTED.has(state.kind) || (options.failed && BROKEN.has(state.kind)));
    if (live && known) tools.push(...known.tools);
    // Quarantined tools are shown with their changes, for review.
    if (known && (live || state.kind === 'quarantined')) withheld.push(...known.withheld);
    if (!live || !known) {
      unavailable.push({ server: definition.id, state, tools: known?.tools.length ?? 0 });
    }
  }
  const asked = stale === undefined ? {} : { stale };
  if (options.search === undefined) return { tools, withheld, unavailable, ...asked };
  const found = await searchList(core, workspace, client, { tools, query: options.search });
  return { tools: found, withheld: [], unavailable, ...asked };
}

/** Has the server read anew, and answers why that wasn't possible in time. It goes on after that. */
async function askNow(
  core: Core,
  workspace: Workspace,
  definition: ServerDefinition,
  host: string | undefined,
): Promise<string | undefined> {
  const { listFreshMs } = core.limits;
  const { id } = definition;
  const signal = timeoutSignal(listFreshMs);
  try {
    const { key } = workspace.usable(id);
    const asking = core.pool.connection(key, hostNamed(core, host)).then((found) => found.refresh());
    await raceSignal(asking, signal, id);
    return undefined;
  } catch (error) {
    if (signal.aborted) return `it did not answer within ${listFreshMs / 1000} s.`;
    return explainedFailure(definition, error).message;
  }
}

/** As `plug tools` lists them: without those that are withheld, and without those of broken servers. */
export function countOffered(core: Core, workspace: Workspace): number {
  return workspace.servers.reduce((sum, server) => {
    const manifest = core.pool.manifest(serverKey(server.definition));
    if (!manifest || !isListed(core, workspace, server)) return sum;
    const { tools } = core.decisions.known.offered(workspace.pooled(server), manifest, undefined);
    return sum + tools.length;
  }, 0);
}

function isListed(core: Core, workspace: Workspace, server: ResolvedServer): boolean {
  if (!server.definition.enabled || blocked(server)) return false;
  const state = unlisted(core, workspace.pooled(server)) ?? stateOf(core, server);
  return LISTED.has(state.kind);
}

/** Tools of a sleeping server are offered: a call wakes it. Those of a broken one are not. */
const LISTED: ReadonlySet<string> = new Set(['ready', 'degraded', 'asleep', 'starting']);

/** Listed only with `failed`: a call then says what is wrong. */
const BROKEN: ReadonlySet<string> = new Set(['failed', 'needs-sign-in', 'needs-input']);
