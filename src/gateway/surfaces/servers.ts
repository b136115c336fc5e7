import type { Remedy } from '../../base/remedy.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
import type { MakeCall } from '../surface.ts';
import { inArgument, objectArgument, textAnswer, textArgument } from './answers.ts';
import { describeServer, DESCRIBE, operationName } from './operations.ts';
import { ShownTools } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { READ_RESULT, readResult, readResultTool } from './read-result.ts';
import { serverTool, serverToolName } from './server-tool.ts';

export function serversSurface(parts: SurfaceParts): ModeSurface {
  const { tools, hub, scope } = parts;
  const shown = perList(tools, (list) => shownServers(list, parts));
  return {
    list: async () => (await shown()).definitions,
    mode: () => Promise.resolve('servers'),
    shows: async (name) => name === READ_RESULT || (await shown()).ids.has(name),
    call: async (name, args, make) => {
      const { ids, byServer, known } = await shown();
      if (name === READ_RESULT) return readResult(args, { results: hub.results, scope, known });
      const id = ids.get(name);
      if (id === undefined) throw await absentServer(name, [...ids.keys()], known, hub);
      const offered = byServer.get(id) ?? [];
      return callServer({ id, name, known, tools: offered }, args, { make, parts });
    },
  };
}

interface CalledServer {
  readonly id: string;
  readonly name: string;
  readonly known: ShownTools;
  readonly tools: readonly ToolView[];
}

async function callServer(
  server: CalledServer,
  args: JsonObject,
  { make, parts }: { readonly make: MakeCall; readonly parts: SurfaceParts },
): Promise<JsonObject> {
  const { id, name, known } = server;
  const action = textArgument(args, 'action', name);
  const params = objectArgument(args, 'params', name);
  const askFirst: Remedy = { do: 'say', text: `Call ${name} with {"action":"describe"}.` };
  if (action !== DESCRIBE)
    return make.call(
      inArgument(() => known.findOf(id, action, askFirst)),
      params,
    );
  const tools = server.tools.length > 0 ? server.tools : await firstTools(id, parts);
  const find = (operation: string): ToolView => {
    const found = tools.find((tool) => operationName(tool) === operation || tool.name === operation);
    const tool = found ?? known.tool(inArgument(() => known.findOf(id, operation, askFirst)));
    if (tool) return tool;
    throw new PlugError('bad_arguments', `${id} has no such operation.`, {
      owner: 'you',
      server: id,
      remedy: askFirst,
    });
  };
  return textAnswer(describeServer(name, tools, params, find));
}

/** Describing a server that was never connected wakes it. */
async function firstTools(id: string, { hub, scope }: SurfaceParts): Promise<readonly ToolView[]> {
  const { profile } = scope;
  const { tools } = await hub.tools.list({ server: id, ...(profile === undefined ? {} : { profile }) });
  return tools;
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
    const more = { server, remedy, details: { state: kind } };
    return new PlugError('unavailable', `${server} cannot be called now: ${reason}`, {
      owner: 'you',
      ...more,
    });
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
  readonly byServer: ReadonlyMap<string, readonly ToolView[]>;
  readonly known: ShownTools;
}

async function shownServers(list: ToolList, { hub, uses }: SurfaceParts): Promise<ShownServers> {
  const views = new Map((await hub.servers.list()).servers.map((view) => [view.id, view]));
  const byServer = new Map<string, readonly ToolView[]>();
  for (const [id, tools] of Map.groupBy(list.tools, ({ server }) => server)) {
    byServer.set(id, tools.toSorted(bestKnownFirst(uses)));
  }
  // Servers that were never connected can be woken by asking.
  for (const { server, state, tools } of list.unavailable) {
    if (tools === 0 && WAKES.has(state.kind) && !byServer.has(server)) byServer.set(server, []);
  }
  const sorted = [...byServer].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const definitions = sorted.map(([id, tools]) => {
    const { serverInfo, instructions } = views.get(id) ?? {};
    return serverTool({
      id,
      tools,
      ...(serverInfo === undefined ? {} : { serverInfo }),
      ...(instructions === undefined ? {} : { instructions }),
    });
  });
  return {
    definitions: [...definitions, readResultTool],
    ids: new Map(sorted.map(([id]) => [serverToolName(id), id])),
    byServer,
    known: new ShownTools(list, ({ tool }) => tool),
  };
}

const WAKES: ReadonlySet<string> = new Set(['asleep', 'starting', 'ready', 'degraded']);

/** Flagged last, then by use and name. */
function bestKnownFirst(uses: SurfaceParts['uses']): (a: ToolView, b: ToolView) => number {
  const used = (tool: ToolView): number => uses?.(tool.ref) ?? 0;
  return (a, b) =>
    Math.min(a.flags.length, 1) - Math.min(b.flags.length, 1) ||
    used(b) - used(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
