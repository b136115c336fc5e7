import type { Remedy } from '../../base/remedy.ts';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
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
      const remedy: Remedy = { do: 'say', text: `Call ${name} with {"action":"describe"}.` };
      const action = textArgument(args, 'action', name);
      const params = objectArgument(args, 'params', name);
      const find = (operation: string): string => inArgument(() => known.findOf(id, operation, remedy));
      if (action !== DESCRIBE) return make.call(find(action), params);
      let offered = byServer.get(id) ?? [];
      // Describing a server that was never connected wakes it.
      if (offered.length === 0) {
        offered = (await hub.tools.list({ server: id, ...defined({ profile: scope.profile }) })).tools;
      }
      const findTool = (operation: string): ToolView => {
        const named = offered.find((each) => operationName(each) === operation || each.name === operation);
        const tool = named ?? known.tool(find(operation));
        if (tool) return tool;
        const message = `${id} has no such operation.`;
        throw new PlugError('bad_arguments', message, { owner: 'you', server: id, remedy });
      };
      return textAnswer(describeServer(name, offered, params, findTool));
    },
  };
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
    return serverTool({ id, tools, ...defined({ serverInfo, instructions }) });
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
