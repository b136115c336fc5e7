import type { JsonObject } from '../../base/json.ts';
import { estimateTokens } from '../../catalog/tokens/estimate-tokens.ts';
import type { ToolList } from '../../hub/hub.ts';
import type { Mode } from '../scope.ts';
import { instructionsOf } from './instructions.ts';
import { surfaceLimits } from './limits.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { readResultTool } from './read-result.ts';
import { searchDefinitions } from './search.ts';

type AutoMode = Extract<Mode, 'all' | 'servers' | 'search'>;
type AutoSurfaces = Readonly<Record<AutoMode, ModeSurface>>;

/** All tools if they fit, else what makes a task cheapest. Names of other modes are understood. */
export function autoSurface(surfaces: AutoSurfaces, parts: SurfaceParts): ModeSurface {
  const { tools, tokensMax } = parts;
  let chosen: AutoMode | undefined;
  const current = perList(tools, async (list) => {
    chosen = choose(await taskCosts(list, surfaces, parts), tokensMax, chosen);
    return chosen;
  });
  const showing = async (name: string): Promise<ModeSurface> => {
    const first = await current();
    for (const mode of [first, ...MODES.filter((each) => each !== first)]) {
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

const MODES: readonly AutoMode[] = ['all', 'servers', 'search'];

type Costs = Readonly<Record<AutoMode, number>>;

/** With all tools listed nothing must be found, and nothing is missed. A margin keeps it from flapping. */
export function choose(costs: Costs, tokensMax: number, before: AutoMode | undefined): AutoMode {
  const margin = tokensMax * surfaceLimits.autoMarginShare;
  const room = before === undefined ? tokensMax : before === 'all' ? tokensMax + margin : tokensMax - margin;
  if (costs.all <= room) return 'all';
  const bonus = (mode: AutoMode): number => (mode === before ? margin : 0);
  return costs.servers - bonus('servers') <= costs.search - bonus('search') ? 'servers' : 'search';
}

/** What one task costs a model: the list and the instructions, and what it reads to find its tools. */
async function taskCosts(list: ToolList, { servers }: AutoSurfaces, parts: SurfaceParts): Promise<Costs> {
  const counted = list.tools.map((tool) => ({
    server: tool.server,
    tokens: tool.tokens ?? costOf(tool.definition),
  }));
  const whole = sum(counted.map(({ tokens }) => tokens));
  const schemas = counted.length === 0 ? 0 : (whole / counted.length) * TASK.tools;
  const all = whole + costOf(readResultTool) + (await instructionCost('all', parts));
  const search =
    sum(searchDefinitions.map(costOf)) +
    (await instructionCost('search', parts)) +
    Math.min(TASK.searchTokens, whole) +
    schemas;
  const byServer = [...Map.groupBy(counted, ({ server }) => server).values()];
  // So many that their list alone costs more isn't even rendered.
  const least = byServer.length * LEAST_SERVER_TOKENS;
  if (least > search * 2) return { all, servers: least, search };
  const described = byServer.map((tools) => {
    const definitions = sum(tools.map(({ tokens }) => tokens));
    const max = surfaceLimits.describedTokensMax;
    // A tool is as likely to be of a server as the server has tools.
    return tools.length * (definitions <= max ? definitions : max + schemas / TASK.servers);
  });
  const fixed = sum((await servers.list()).map(costOf)) + (await instructionCost('servers', parts));
  const describes = Math.min(TASK.servers, byServer.length);
  return {
    all,
    servers: fixed + (describes * sum(described)) / Math.max(1, counted.length),
    search,
  };
}

async function instructionCost(mode: AutoMode, parts: SurfaceParts): Promise<number> {
  return estimateTokens((await instructionsOf(mode, parts)) ?? '');
}

function costOf(definition: JsonObject): number {
  return estimateTokens(JSON.stringify(definition));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The average of LiveMCPBench's tasks, rounded up; `npm run eval:tokens` measures it. */
const TASK = { tools: 3, servers: 2, searchTokens: 700 };
/** Less than any server's tool costs. */
const LEAST_SERVER_TOKENS = 50;
