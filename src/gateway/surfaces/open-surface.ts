import type { Mode } from '../scope.ts';
import { allSurface, oneServerSurface } from './all.ts';
import { codeSurface } from './code.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { searchSurface } from './search.ts';
import { serversSurface } from './servers.ts';
import type { JsonObject } from '../../base/json.ts';
import { estimateTokens } from '../../catalog/tokens/estimate-tokens.ts';
import type { ToolList } from '../../hub/hub.ts';
import { surfaceLimits } from './limits.ts';
import { readResultTool } from './read-result.ts';

export function openSurface(mode: Mode, parts: SurfaceParts): ModeSurface {
  switch (mode) {
    case 'all':
      return parts.onlyServer === undefined ? allSurface(parts) : oneServerSurface(parts);
    case 'servers':
      return serversSurface(parts);
    case 'search':
      return searchSurface(parts);
    case 'code':
      return codeSurface(parts);
    case 'auto':
      break;
  }
  const all = openSurface('all', parts);
  return autoSurface({ all, servers: serversSurface(parts), search: searchSurface(parts) }, parts);
}

type AutoMode = Extract<Mode, 'all' | 'servers' | 'search'>;
type AutoSurfaces = Readonly<Record<AutoMode, ModeSurface>>;

/** The richest mode within budget; a margin keeps it from flapping. Names of other modes are understood. */
function autoSurface(surfaces: AutoSurfaces, { tools, tokensMax }: SurfaceParts): ModeSurface {
  let chosen: AutoMode | undefined;
  const current = perList(tools, async (list) => {
    chosen = choose(await costs(list, surfaces, tokensMax), tokensMax, chosen);
    return chosen;
  });
  const showing = async (name: string): Promise<ModeSurface> => {
    const first = await current();
    for (const mode of [first, ...RICHEST_FIRST.filter((each) => each !== first)]) {
      if (await surfaces[mode].shows(name)) return surfaces[mode];
    }
    return surfaces[first];
  };
  return {
    list: async () => surfaces[await current()].list(),
    mode: async () => current(),
    shows: async (name) => (await showing(name)).shows(name),
    call: async (name, args, make) => (await showing(name)).call(name, args, make),
  };
}

interface Costs {
  readonly all: number;
  readonly servers: number;
}

export function choose({ all, servers }: Costs, tokensMax: number, before: AutoMode | undefined): AutoMode {
  const cost = { all, servers, search: 0 };
  const was = before === undefined ? -1 : RICHEST_FIRST.indexOf(before);
  const margin = tokensMax * surfaceLimits.autoMarginShare;
  const fits = (mode: AutoMode, index: number): boolean => {
    if (was === -1) return cost[mode] <= tokensMax;
    return cost[mode] <= (index < was ? tokensMax - margin : index === was ? tokensMax + margin : tokensMax);
  };
  return RICHEST_FIRST.find(fits) ?? 'search';
}

const RICHEST_FIRST: readonly AutoMode[] = ['all', 'servers', 'search'];

/** A list far over budget isn't even rendered. */
async function costs(list: ToolList, { servers }: AutoSurfaces, tokensMax: number): Promise<Costs> {
  const all = list.tools.reduce(
    (sum, tool) => sum + (tool.tokens ?? costOf(tool.definition)),
    costOf(readResultTool),
  );
  const ids = new Set(list.tools.map(({ server }) => server));
  if (ids.size * LEAST_SERVER_TOKENS > tokensMax * 2) return { all, servers: ids.size * LEAST_SERVER_TOKENS };
  const definitions = await servers.list();
  return { all, servers: definitions.reduce((sum, definition) => sum + costOf(definition), 0) };
}

function costOf(definition: JsonObject): number {
  return estimateTokens(JSON.stringify(definition));
}

/** Less than any server's tool costs. */
const LEAST_SERVER_TOKENS = 50;
