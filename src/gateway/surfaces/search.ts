import { defined } from '../../base/defined.ts';
import { sentenceOf, toldToModel } from '../../base/remedy-sentence.ts';
import { ignore, toPlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { renderName } from '../../catalog/names.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { ToolView, ToolList } from '../../hub/hub.ts';
import {
  badArgument,
  inArgument,
  numberArgument,
  objectArgument,
  textAnswer,
  textArgument,
  textsArgument,
} from './answers.ts';
import { wholeDefinitions } from './operations.ts';
import { ShownTools } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';
import { perList } from './parts.ts';
import type { ModeSurface, SurfaceParts, ToolSearchRequest, ToolsFound } from './parts.ts';
import { READ_RESULT, readResult, readResultTool } from './read-result.ts';
import { lineOf, shorten } from '../../catalog/about-server.ts';

export function searchSurface({ tools, names, search, hub, scope }: SurfaceParts): ModeSurface {
  const shown = perList(tools, (list) => new ShownTools(list, (tool) => renderName(tool, names)));
  const read = (args: JsonObject, known: ShownTools): Promise<JsonObject> =>
    readResult(args, { results: hub.results, scope, known });
  // Of a large catalog, the tools are read before the first search.
  const prepare = async (): Promise<void> => {
    const { list } = await shown();
    if (list.tools.length > surfaceLimits.preparedToolsMin) {
      await search.search({ queries: [], limit: 1, within: list });
    }
  };
  return {
    list: () => {
      ignore(prepare(), 'the first search reads the tools, if this could not');
      return Promise.resolve(searchDefinitions);
    },
    mode: () => Promise.resolve('search'),
    shows: (name) => Promise.resolve(searchDefinitions.some((own) => own['name'] === name)),
    call: async (name, args, make) => {
      const known = await shown();
      switch (name) {
        case SEARCH_TOOLS: {
          const request = { ...searchRequest(args, known), names, ...defined({ host: make.host }) };
          return textAnswer(foundText(await search.search(request), request, known));
        }
        case DESCRIBE_TOOL:
          return textAnswer(describe(textsArgument(args, 'names', DESCRIBE_TOOL), known));
        case CALL_TOOL: {
          const called = textArgument(args, 'name', CALL_TOOL);
          const given = objectArgument(args, 'arguments', CALL_TOOL);
          if (called === READ_RESULT) return read(given, known);
          const ref = inArgument(() => known.find(called));
          return make.call(ref, given);
        }
        case READ_RESULT:
          return read(args, known);
        default:
          // A host that saw another list may call a tool by name.
          return make.call(known.find(name), args);
      }
    },
  };
}

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'unknown'];
const SERVERS_NAMED = 20;

function searchRequest(args: JsonObject, known: ShownTools): ToolSearchRequest {
  const queries = textsArgument(args, 'queries', SEARCH_TOOLS)
    .slice(0, surfaceLimits.queriesMax)
    .map((query) => query.slice(0, surfaceLimits.queryCharsMax));
  const wanted = numberArgument(args, 'limit', SEARCH_TOOLS) ?? surfaceLimits.hitsShown;
  const limit = Math.min(wanted, surfaceLimits.hitsMax);
  const { server, risk } = args;
  if (typeof server === 'string' && server !== '' && !known.servers.has(server)) {
    throw badArgument(SEARCH_TOOLS, 'server', `there is none of that name, but ${serversInWords(known)}`);
  }
  const asked = RISKS.find((each) => each === risk);
  if (risk !== undefined && risk !== null && asked === undefined) {
    throw badArgument(SEARCH_TOOLS, 'risk', `it is one of ${RISKS.join(', ')}`);
  }
  return {
    queries,
    limit,
    within: known.list,
    ...(typeof server === 'string' && server !== '' ? { server } : {}),
    ...(asked === undefined ? {} : { risk: asked }),
  };
}

function serversInWords({ servers }: ShownTools): string {
  const ids = [...servers].toSorted();
  const shown = ids.slice(0, SERVERS_NAMED);
  return `${shown.join(', ')}${shown.length < ids.length ? ` and ${ids.length - shown.length} more` : ''}`;
}

/** An unknown name doesn't keep the others from being described. */
function describe(names: readonly string[], known: ShownTools): string {
  const found: ToolView[] = [];
  const notes: string[] = [];
  for (const name of names.slice(0, surfaceLimits.describedNamesMax)) {
    const outcome = name === READ_RESULT ? JSON.stringify(readResultTool) : lookUp(name, known);
    if (typeof outcome === 'string') notes.push(outcome);
    else found.push(outcome);
  }
  const left = names.length - surfaceLimits.describedNamesMax;
  if (left > 0) notes.push(`[Ask for the other ${left} in another call.]`);
  const whole = found.length === 0 ? [] : [wholeDefinitions(found, (tool) => known.nameOf(tool))];
  return [...whole, ...notes].join('\n');
}

function lookUp(name: string, known: ShownTools): ToolView | string {
  try {
    const ref = known.find(name);
    return known.tool(ref) ?? `${ref}: its server was never connected; the first call connects it.`;
  } catch (error) {
    const { message, remedy } = toPlugError(error);
    return toldToModel(message, remedy);
  }
}

function foundText(
  { hits, siblings, unread = 0 }: ToolsFound,
  request: ToolSearchRequest,
  known: ShownTools,
): string {
  const lines = hits
    .filter(({ ref }) => known.tool(ref) !== undefined)
    .slice(0, surfaceLimits.linesMax)
    .map(({ line }) => line);
  if (lines.length === 0) {
    const missing = missingLines(known.list.unavailable, request.server);
    return ['No tool fits. Say it in other words, or shorter.', ...unreadLines(unread), ...missing].join(
      '\n',
    );
  }
  const shown = new Set(hits.map(({ ref }) => ref));
  const others = siblings.filter((ref) => !shown.has(ref));
  return [...lines, ...siblingLines(others, known), ...unreadLines(unread)].join('\n');
}

/** Of a large catalog that was just connected. */
function unreadLines(unread: number): readonly string[] {
  return unread === 0 ? [] : [`[${unread} tools aren’t searched yet. Search again in a few seconds.]`];
}

/** Names only, with each server's prefix written once. */
function siblingLines(siblings: readonly string[], known: ShownTools): readonly string[] {
  const byServer = Map.groupBy(
    siblings.flatMap((ref) => known.tool(ref) ?? []).filter(({ flags }) => flags.length === 0),
    ({ server }) => server,
  );
  const lines: string[] = [];
  let left: number = surfaceLimits.siblingCharsMax;
  for (const [server, tools] of byServer) {
    const names: string[] = [];
    for (const tool of tools) {
      const name = known.nameOf(tool);
      const shown = name.endsWith(`${server}__${tool.name}`) ? tool.name : name;
      left -= shown.length + 2;
      if (left < 0) break;
      names.push(shown);
    }
    if (names.length > 0) lines.push(`Also ${server}__: ${names.join(', ')}`);
  }
  return lines;
}

/** An unavailable server may have what is searched for. */
function missingLines(unavailable: ToolList['unavailable'], server: string | undefined): readonly string[] {
  const missing = unavailable.filter((each) => server === undefined || each.server === server);
  const lines = missing.slice(0, surfaceLimits.missingServersShown).map(({ server: id, state }) => {
    const { remedy, reason } = state;
    const next = remedy && ` Next: ${shorten(lineOf(sentenceOf(remedy)), NEXT_CHARS_MAX)}`;
    return `- ${id}: ${shorten(lineOf(reason), REASON_CHARS_MAX)}${next ?? ''}`;
  });
  return lines.length === 0 ? [] : ['Not available now:', ...lines];
}

const REASON_CHARS_MAX = 160;
const NEXT_CHARS_MAX = 120;

export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';

/** Every word costs every host: they must stay below 340 tokens. */
export const searchDefinitions: readonly JsonObject[] = [
  {
    name: SEARCH_TOOLS,
    description:
      'Finds tools of the connected servers by what they do. Give several short queries, one for each ' +
      'step or wording. Answers with one line for each tool, and names of related ones.',
    inputSchema: {
      type: 'object',
      properties: {
        queries: { type: 'array', items: { type: 'string' }, description: 'Such as “create issue”' },
        server: { type: 'string', description: 'Only this server' },
        risk: { type: 'string', enum: ['read', 'write', 'destructive', 'unknown'] },
        limit: { type: 'integer', description: 'For each query, default 8' },
      },
      required: ['queries'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: DESCRIBE_TOOL,
    description: 'Gives the input schemas of tools. Read them before the first call.',
    inputSchema: {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } } },
      required: ['names'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: CALL_TOOL,
    description: 'Calls a tool.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name'],
    },
  },
  readResultTool,
];
