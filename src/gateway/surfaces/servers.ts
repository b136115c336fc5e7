import type { Remedy } from '../../base/remedy.ts';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
import { inArgument, objectArgument, textAnswer, textArgument } from './answers.ts';
import { describeServer } from './describe-server.ts';
import { DESCRIBE, operationName } from './operations.ts';
import { rankOperations } from './rank-operations.ts';
import { ShownTools } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { READ_RESULT, readResult, readResultTool } from './read-result.ts';
import { serverTool, serverToolName } from './server-tool.ts';
import { withoutAppOnly } from './with-apps.ts';
import type { MakeCall } from '../surface.ts';

export function serversSurface(parts: SurfaceParts): ModeSurface {
  const { tools, hub, scope } = parts;
  const shown = perList(tools, (list) => shownServers(list, parts));
  return {
    list: async () => (await shown()).definitions,
    mode: () => Promise.resolve('servers'),
    shows: async (name) => name === READ_RESULT || (await shown()).ids.has(name),
    call: async (name, args, make) => {
      const { ids, known } = await shown();
      if (name === READ_RESULT) return readResult(args, { results: hub.results, scope, known });
      const id = ids.get(name);
      if (id === undefined) throw await absentServer(name, [...ids.keys()], known, hub);
      const action = textArgument(args, 'action', name);
      const params = objectArgument(args, 'params', name);
      if (action === DESCRIBE) return textAnswer(await describe({ id, name, known }, params, make, parts));
      const remedy = describeFirst(name);
      const isKnown = isThere(() => known.findOf(id, action, remedy));
      const now = isKnown ? known : (await askServer(id, make, parts)).known;
      return make.call(
        inArgument(() => now.findOf(id, action, remedy)),
        params,
      );
    },
  };
}

interface DescribedServer {
  readonly id: string;
  readonly name: string;
  readonly known: ShownTools;
}

/** Asks the server, unless schemas of known operations are wanted: what is stored may be old. */
async function describe(
  { id, name, known }: DescribedServer,
  params: JsonObject,
  make: MakeCall,
  parts: SurfaceParts,
): Promise<string> {
  const { operations, query } = params;
  const areKnown =
    Array.isArray(operations) &&
    operations.every((each) => typeof each === 'string' && findTool(known, id, each) !== undefined);
  const { known: now, stale } = areKnown ? { known, stale: undefined } : await askServer(id, make, parts);
  const offered = now.list.tools.filter(({ server }) => server === id);
  const narrowed =
    query === undefined ? undefined : await found(textArgument(params, 'query', name), id, now, parts);
  const find = (operation: string): ToolView => {
    const tool = findTool(now, id, operation);
    if (tool) return tool;
    inArgument(() => now.findOf(id, operation, describeFirst(name)));
    const message = `${id} has no such operation.`;
    throw new PlugError('bad_arguments', message, { owner: 'you', server: id, remedy: describeFirst(name) });
  };
  const tools = narrowed ?? rankOperations(offered, parts.uses);
  const text =
    tools.length === 0 && offered.length > 0
      ? `None of its ${offered.length} operations fits. Say it in other words, or leave the query out.`
      : describeServer({ name, tools, params, find });
  return stale === undefined ? text : `[This is what ${id} offered before: ${stale}]\n${text}`;
}

async function found(
  query: string,
  server: string,
  { list }: ShownTools,
  { search }: SurfaceParts,
): Promise<readonly ToolView[]> {
  const queries = [query.slice(0, surfaceLimits.queryCharsMax)];
  const { hits } = await search.search({ queries, server, within: list, limit: surfaceLimits.hitsShown });
  const byRef = new Map(list.tools.map((tool) => [tool.ref, tool]));
  return hits.flatMap(({ ref }) => byRef.get(ref) ?? []);
}

function findTool(known: ShownTools, id: string, operation: string): ToolView | undefined {
  const named = known.list.tools.find(
    (tool) => tool.server === id && (operationName(tool) === operation || tool.name === operation),
  );
  if (named) return named;
  const ref = isThere(() => known.findOf(id, operation));
  return ref === undefined ? undefined : known.tool(ref);
}

/** What the server offers now, for a bounded time; else what is stored, and why. */
async function askServer(
  id: string,
  { host }: MakeCall,
  { hub, scope: { profile, readOnly } }: SurfaceParts,
): Promise<{ readonly known: ShownTools; readonly stale: string | undefined }> {
  const list = await hub.tools.list({
    server: id,
    fresh: true,
    failed: true,
    ...defined({ host, profile, readOnly }),
  });
  return { known: new ShownTools(withoutAppOnly(list), ({ tool }) => tool), stale: list.stale };
}

function isThere(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    return undefined; // said again by who must know
  }
}

function describeFirst(name: string): Remedy {
  return { do: 'say', text: `Call ${name} with {"action":"describe"}.` };
}

async function absentServer(
  name: string,
  names: readonly string[],
  { list }: ShownTools,
  hub: SurfaceParts['hub'],
): Promise<PlugError> {
  const missing = list.unavailable.find(({ server }) => serverToolName(server) === name);
  if (missing) {
    const { server } = missing;
    const { kind, reason, remedy } = (await hub.servers.get({ id: server })).state;
    const message = `${server} cannot be called now: ${reason}`;
    const details = { state: kind };
    return new PlugError('unavailable', message, { owner: 'you', server, remedy, details });
  }
  const near = suggest(name, names.slice(0, surfaceLimits.namesComparedMax));
  const shown = name.slice(0, surfaceLimits.nameCharsShown);
  return new PlugError('not_found', `There is no server “${shown}” here. ${didYouMean(near)}`.trimEnd(), {
    owner: 'you',
    remedy: near.length > 0 ? `Call ${near[0]}.` : 'Read the list of tools again: it may have changed.',
    details: { near },
  });
}

interface ShownServers {
  readonly definitions: readonly JsonObject[];
  /** Name of the tool → id of the server. */
  readonly ids: ReadonlyMap<string, string>;
  readonly known: ShownTools;
}

async function shownServers(list: ToolList, { hub, uses }: SurfaceParts): Promise<ShownServers> {
  const views = new Map((await hub.servers.list()).servers.map((view) => [view.id, view]));
  const byServer = new Map<string, readonly ToolView[]>();
  for (const [id, tools] of Map.groupBy(list.tools, ({ server }) => server)) {
    byServer.set(id, rankOperations(tools, uses));
  }
  // Servers that were never connected can be woken by asking.
  for (const { server, state, tools } of list.unavailable) {
    if (tools === 0 && WAKES.has(state.kind) && !byServer.has(server)) byServer.set(server, []);
  }
  const sorted = [...byServer].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const definitions = sorted.map(([id, tools]) => {
    const { serverInfo, instructions } = views.get(id) ?? {};
    return serverTool({ id, tools, ...defined({ serverInfo, instructions }) });
  });
  return {
    definitions: [...definitions, readResultTool],
    ids: new Map(sorted.map(([id]) => [serverToolName(id), id])),
    known: new ShownTools(list, ({ tool }) => tool),
  };
}

const WAKES: ReadonlySet<string> = new Set(['asleep', 'starting', 'ready', 'degraded']);
