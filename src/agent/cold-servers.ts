import type { JsonObject } from '../base/json.ts';
import { estimateTokens } from '../catalog/tokens/estimate-tokens.ts';
import type { ModeSurface, SurfaceParts } from '../gateway/surfaces/parts.ts';
import { READ_RESULT } from '../gateway/surfaces/read-result.ts';
import { serverToolName } from '../gateway/surfaces/server-tool.ts';
import { serversSurface } from '../gateway/surfaces/servers.ts';
import type { ToolList } from '../hub/hub.ts';

/** Servers that were never connected: their tools are not known yet. */
export interface ColdServers {
  /** One tool for each: whoever asks it what the server can do wakes it. */
  readonly surface: ModeSurface;
  readonly ids: readonly string[];
  readonly tokens: number;
  /** About those for which there was no room. */
  readonly note: string;
}

export async function coldServers(
  parts: SurfaceParts,
  list: ToolList,
  tokensMax: number,
): Promise<ColdServers> {
  const surface = serversSurface({ ...parts, tools: () => Promise.resolve({ ...list, tools: [] }) });
  const shown: JsonObject[] = [];
  let tokens = 0;
  for (const definition of await surface.list()) {
    const cost = estimateTokens(JSON.stringify(definition));
    if (definition['name'] === READ_RESULT || tokens + cost > tokensMax) continue;
    tokens += cost;
    shown.push(definition);
  }
  const names = new Set(shown.map(({ name }) => name));
  const cold = list.unavailable.filter(({ tools, state }) => tools === 0 && WAKES.has(state.kind));
  const ids = cold.map(({ server }) => server);
  const isShown = (id: string): boolean => names.has(serverToolName(id));
  return {
    surface: { ...surface, list: () => Promise.resolve(shown) },
    ids: ids.filter(isShown),
    tokens,
    note: untold(ids.filter((id) => !isShown(id))),
  };
}

/** In good order: what was never connected can be. */
export const WAKES: ReadonlySet<string> = new Set(['asleep', 'starting', 'ready', 'degraded']);

function untold(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const named = ids.slice(0, NAMES_SHOWN).join(', ');
  const more = ids.length > NAMES_SHOWN ? ` and ${ids.length - NAMES_SHOWN} more` : '';
  return `Never connected, so that their tools are not known: ${named}${more}. The person connects one by naming it, as in @${ids[0]}.`;
}

const NAMES_SHOWN = 20;
