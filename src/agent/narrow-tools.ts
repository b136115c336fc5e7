import { estimateTokens } from '../catalog/tokens/estimate-tokens.ts';
import type { ToolList, ToolView } from '../hub/hub.ts';
import type { ToolSearch } from '../gateway/surfaces/parts.ts';
import type { AgentLimits } from './limits.ts';

export interface Narrowing {
  readonly list: ToolList;
  readonly texts: readonly string[];
  readonly used: ReadonlySet<string>;
  readonly search: ToolSearch;
  readonly tokensMax: number;
  readonly toolsMax: number;
  readonly limits: AgentLimits;
}

/** The best servers whole, as far as the budget allows; of a larger server its best tools. */
export async function narrowTools(narrowing: Narrowing): Promise<readonly ToolView[]> {
  const { list, tokensMax, toolsMax } = narrowing;
  const hits = await foundTools(narrowing);
  const byServer = Map.groupBy(list.tools, ({ server }) => server);
  let left = tokensMax;
  const chosen: ToolView[] = [];
  const take = (tools: readonly ToolView[]): boolean => {
    const cost = tools.reduce((sum, tool) => sum + costOf(tool), 0);
    if (cost > left || chosen.length + tools.length > toolsMax) return false;
    left -= cost;
    chosen.push(...tools);
    return true;
  };
  for (const server of rankServers(hits, narrowing)) {
    const tools = byServer.get(server) ?? [];
    if (take(tools)) continue;
    for (const hit of hits) if (hit.server === server) take([hit]);
  }
  return chosen;
}

/** In tokens. */
export function costOf({ tokens, definition }: Pick<ToolView, 'tokens' | 'definition'>): number {
  return tokens ?? estimateTokens(JSON.stringify(definition));
}

async function foundTools({ list, texts, search, limits }: Narrowing): Promise<readonly ToolView[]> {
  const queries = texts
    .map((text) => text.slice(0, limits.queryCharsMax))
    .filter((text) => text.trim() !== '');
  if (queries.length === 0) return [];
  const { hits } = await search.search({ queries, limit: limits.rankedToolsMax, within: list });
  const byRef = new Map(list.tools.map((tool) => [tool.ref, tool]));
  return hits.flatMap(({ ref }) => byRef.get(ref) ?? []);
}

/** Named servers first, then those with the best tools, then those used before. */
function rankServers(hits: readonly ToolView[], { list, texts, used }: Narrowing): readonly string[] {
  const weights = new Map<string, number>();
  const add = (server: string, weight: number): void => {
    weights.set(server, (weights.get(server) ?? 0) + weight);
  };
  for (const [place, { server }] of hits.entries()) add(server, 1 / (place + 1));
  const words = new Set((texts[0] ?? '').toLowerCase().match(/[a-z0-9][a-z0-9._-]*/g));
  for (const server of new Set(list.tools.map((tool) => tool.server))) {
    if (words.has(server)) add(server, NAMED_WEIGHT);
    if (used.has(server)) add(server, USED_WEIGHT);
  }
  return [...weights]
    .toSorted(([a, heavier], [b, lighter]) => lighter - heavier || (a < b ? -1 : 1))
    .map(([server]) => server);
}

const NAMED_WEIGHT = 10;
const USED_WEIGHT = 0.75;
