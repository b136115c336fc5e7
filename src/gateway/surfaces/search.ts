import { toPlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { renderName } from '../../catalog/names.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { ToolView } from '../../hub/hub.ts';
import {
  badArgument,
  inArgument,
  numberArgument,
  objectArgument,
  textAnswer,
  textArgument,
  textsArgument,
} from './answers.ts';
import { wholeDefinitions } from './describe-server.ts';
import { KnownTools } from './known-tools.ts';
import { surfaceLimits } from './limits.ts';
import type { ModeSurface, SurfaceParts, ToolSearchRequest } from './parts.ts';
import { perList } from './per-list.ts';
import { READ_RESULT, readResult, readResultTool } from './read-result.ts';
import { foundText } from './found-text.ts';
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS, searchDefinitions } from './search-definitions.ts';

/** Three tools, whatever the number behind them: find, read the schema, call. */
export function searchSurface({ tools, names, search, hub, scope }: SurfaceParts): ModeSurface {
  const shown = perList(tools, (list) => new KnownTools(list, (tool) => renderName(tool, names)));
  return {
    list: () => Promise.resolve(searchDefinitions),
    mode: () => Promise.resolve('search'),
    shows: (name) => Promise.resolve(OWN.has(name)),
    call: async (name, args, make) => {
      const known = await shown();
      switch (name) {
        case SEARCH_TOOLS: {
          const request = searchRequest(args, known);
          return textAnswer(foundText(await search.search(request), request, known));
        }
        case DESCRIBE_TOOL:
          return textAnswer(describe(textsArgument(args, 'names', DESCRIBE_TOOL), known));
        case CALL_TOOL: {
          const called = textArgument(args, 'name', CALL_TOOL);
          const given = objectArgument(args, 'arguments', CALL_TOOL);
          if (called === READ_RESULT) return readResult(given, { results: hub.results, scope, known });
          return make.call(
            inArgument(() => known.find(called)),
            given,
          );
        }
        default:
          // A host that saw another list calls a tool by its name: that is as good.
          return make.call(known.find(name), args);
      }
    },
  };
}

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'unknown'];
const SERVERS_NAMED = 20;
const OWN: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL]);

function searchRequest(args: JsonObject, known: KnownTools): ToolSearchRequest {
  const queries = textsArgument(args, 'queries', SEARCH_TOOLS)
    .slice(0, surfaceLimits.queriesMax)
    .map((query) => query.slice(0, surfaceLimits.queryCharsMax));
  const limit = Math.min(
    numberArgument(args, 'limit', SEARCH_TOOLS) ?? surfaceLimits.hitsShown,
    surfaceLimits.hitsMax,
  );
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

function serversInWords({ servers }: KnownTools): string {
  const ids = [...servers].toSorted();
  const shown = ids.slice(0, SERVERS_NAMED);
  return `${shown.join(', ')}${shown.length < ids.length ? ` and ${ids.length - shown.length} more` : ''}`;
}

/** A name that is not there says why, and does not keep the others from being described. */
function describe(names: readonly string[], known: KnownTools): string {
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

/** The tool, or why there is none. */
function lookUp(name: string, known: KnownTools): ToolView | string {
  try {
    const ref = known.find(name);
    return known.tool(ref) ?? `${ref}: its server was never connected; the first call connects it.`;
  } catch (error) {
    const { message, next } = toPlugError(error);
    return `${message}${next === undefined ? '' : ` ${next}`}`;
  }
}
