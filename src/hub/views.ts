import type { Remedy } from '../base/remedy.ts';
import { defined } from '../base/defined.ts';
import { nextStep } from '../base/remedy-command.ts';
import { sentence } from '../base/sentence.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { PooledServer } from '../connections/pool.ts';
import { overallOf, type ServerState } from '../connections/state.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { outsideReferences } from '../servers/outside-references.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import type { Untrusted } from '../servers/trust.ts';
import type { Core } from './core.ts';
import type { ProcessView, ServerList, ServerView, UntrustedView } from './hub.ts';
import { lastingView, shownEndpoint } from './lasting-view.ts';
import { blocked, serverKey, type Workspace } from './workspace.ts';

/** The state as a person sees it: what they switched off is off, whatever else is true. */
export function stateOf(
  core: Core,
  server: ResolvedServer,
  connection = core.pool.state(serverKey(server.definition)),
): ServerState {
  return blocked(server) ?? quarantined(core, server) ?? connection;
}

/** Every tool changed since it was approved: this may not be the same server. */
function quarantined({ pool, decisions }: Core, { definition }: ResolvedServer): ServerState | undefined {
  const key = serverKey(definition);
  const [server, manifest] = [pool.server(key), pool.manifest(key)];
  if (!server || !manifest || manifest.tools.length === 0) return undefined;
  const entries = decisions.known.catalog.entries(decisions.known.seen(server), manifest);
  if (!entries.every(({ withheld }) => withheld?.cause === 'changed')) return undefined;
  return {
    kind: 'quarantined',
    reason: 'All of its tools changed since they were approved.',
    ...nextStep(approval(definition.id, entries)),
  };
}

/** A server that is trusted already cannot be trusted again: its tools are looked at one by one. */
function approval(server: string, entries: readonly CatalogTool[]): Remedy {
  if (entries.length > APPROVED_AT_ONCE) return { do: 'review-tools', server };
  return { do: 'approve-tools', tools: entries.map(({ tool }) => tool.ref) };
}

const APPROVED_AT_ONCE = 5;

export async function listView(core: Core, workspace: Workspace): Promise<ServerList> {
  const servers = await viewAll(core, workspace.servers);
  const broken = Object.entries(workspace.errors).map(([id, error]): ServerView => ({
    id,
    name: id,
    transport: 'stdio',
    target: '',
    enabled: false,
    readOnly: false,
    state: { kind: 'failed', cause: 'config', reason: error.message, ...nextStep(error.remedy) },
    source: { kind: 'file' },
    trust: 'none',
    toolCount: 0,
    toolsOffered: 0,
    apps: false,
    problems: [],
  }));
  const all = [...servers, ...broken].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { overall: overallOf(all.map((view) => view.state)), servers: all, files: workspace.files };
}

export async function viewOf(core: Core, server: ResolvedServer): Promise<ServerView> {
  const [view] = await viewAll(core, [server]);
  return view as ServerView; // one in, one out
}

async function viewAll(core: Core, servers: readonly ResolvedServer[]): Promise<readonly ServerView[]> {
  const asks = servers.some(({ untrusted, waiting }) => untrusted ?? waiting);
  const [processes, accounts, kept] = await Promise.all([
    processViews(core, servers),
    core.accounts.defaults(core.owner),
    asks ? core.vault.list(core.owner) : [],
  ]);
  const secrets = new Set(kept);
  return servers.map((server) => {
    const { id, endpoint } = server.definition;
    const found = endpoint.kind === 'stdio' ? undefined : accounts.get(id);
    const account = found?.displayName ?? found?.account;
    return view(core, server, { process: processes.get(id), account, secrets });
  });
}

/** References to other values are part of what the user agrees to. */
function untrustedView(
  { definition, untrusted }: { readonly definition: ServerDefinition; readonly untrusted: Untrusted },
  secrets: ReadonlySet<string>,
): UntrustedView {
  return { ...untrusted, references: outsideReferences(definition, secrets) };
}

interface Particulars {
  readonly process: ProcessView | undefined;
  readonly account: string | undefined;
  /** Names of secrets in the vault; known only where an entry waits for trust. */
  readonly secrets: ReadonlySet<string>;
}

function view(core: Core, server: ResolvedServer, { process, account, secrets }: Particulars): ServerView {
  const { definition, untrusted, waiting } = server;
  const key = serverKey(definition);
  const manifest = core.pool.manifest(key);
  const pooled = core.pool.server(key);
  const { known } = core.decisions;
  const { tools: offered = [], withheld = [] } =
    manifest && pooled ? known.offered(pooled, manifest, undefined) : {};
  const noise = core.pool.output(key)?.noise().count ?? 0;
  const lasting = lastingView(server, manifest);
  return {
    id: definition.id,
    name: definition.name,
    ...lasting.shown,
    enabled: definition.enabled && !untrusted,
    readOnly: definition.readOnly,
    state: stateOf(core, server),
    source: definition.source,
    ...(untrusted ? { untrusted: untrustedView({ definition, untrusted }, secrets) } : {}),
    ...(waiting
      ? { waiting: { ...shownEndpoint(waiting.definition), untrusted: untrustedView(waiting, secrets) } }
      : {}),
    trust: pooled ? known.trust.trustOf(key, pooled.fingerprint) : 'none',
    ...(manifest ? manifestView(manifest) : {}),
    toolCount: manifest?.tools.length ?? 0,
    toolsOffered: offered.length,
    ...defined({ tokens: tokensOf(offered) }),
    apps: server.apps === true,
    ...(core.decisions.unrecorded.has(definition.id) ? { recorded: false } : {}),
    problems: [
      ...(manifest?.problems ?? []),
      noise > 0 && `${noise} lines on its output were not MCP; see its log.`,
      lasting.exposure,
      process?.warning,
      pooled && runnerNote(core, pooled),
      ...server.shadowed.map(
        (source) => `Also defined in ${source.file ?? source.kind}, which has lower priority.`,
      ),
      waiting && `${waiting.untrusted.file} has an entry with this name that needs your trust.`,
    ].flatMap((problem) => problem || []),
    ...defined({ account, process, version: core.versions.view(key, lasting.package, manifest) }),
    ...defined({ review: reviewOf(offered, withheld) }),
  };
}

function reviewOf(
  offered: readonly Tool[],
  withheld: readonly WithheldTool[],
): ServerView['review'] | undefined {
  const changed = withheld.filter(({ cause }) => cause === 'changed');
  const flagged = offered.filter(({ flags, pinned }) => flags.length > 0 && !pinned);
  const [first] = [...changed, ...flagged];
  return first && { changed: changed.length, flagged: flagged.length, tool: first.name };
}

/** A version that is known, and is started by its runner all the same. */
function runnerNote({ packaged }: Core, { definition, fingerprint }: PooledServer): string | undefined {
  const { endpoint } = definition;
  const why = packaged.whyRunner(fingerprint);
  if (why === undefined || endpoint.kind !== 'stdio') return undefined;
  return `Started with ${endpoint.command}, not from an installed package: ${sentence(why)}`;
}

/** Absent until all of them were counted: half a sum would look like a small server. */
function tokensOf(offered: readonly Tool[]): number | undefined {
  const isCounted = offered.length > 0 && offered.every(({ tokens }) => tokens !== undefined);
  return isCounted ? offered.reduce((sum, { tokens = 0 }) => sum + tokens, 0) : undefined;
}

function manifestView({ serverInfo, instructions, era, protocolVersion, capabilities, extra }: Manifest) {
  return { serverInfo, ...defined({ instructions, extra }), era, protocolVersion, capabilities };
}

async function processViews(
  core: Core,
  servers: readonly ResolvedServer[],
): Promise<ReadonlyMap<string, ProcessView>> {
  const live = servers.flatMap(({ definition }) => {
    const output = core.pool.output(serverKey(definition));
    const { kind } = core.pool.state(serverKey(definition));
    const runs = kind === 'ready' || kind === 'degraded' || kind === 'starting';
    return output && runs ? [{ id: definition.id, pid: output.pid, marker: output.marker }] : [];
  });
  const usages = await core.usage.of(live);
  const views = live.flatMap(({ id, pid }, index): [string, ProcessView][] => {
    const { processes = 0, rssBytes: memoryBytes = 0 } = usages[index] ?? {};
    if (processes === 0) return []; // it crashed, and its successor has not started yet
    const warning = warningFor(memoryBytes, core.limits.memoryWarnBytes);
    return [[id, { pid, processes, memoryBytes, ...defined({ warning }) }]];
  });
  return new Map(views);
}

function warningFor(bytes: number, limit: number): string | undefined {
  const mb = (value: number): number => Math.round(value / 1024 / 1024);
  return bytes <= limit ? undefined : `Uses ${mb(bytes)} MB of memory, more than ${mb(limit)} MB.`;
}
