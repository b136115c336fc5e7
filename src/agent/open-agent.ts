import { systemClock, type Clock } from '../base/clock.ts';
import { systemIds, type Ids } from '../base/ids.ts';
import { indexedSearch } from '../gateway/surfaces/indexed-search.ts';
import type { Agent } from '../hub/agent.ts';
import type { Hub } from '../hub/hub.ts';
import { setupAgent } from './setup-agent/open.ts';
import { agentLimits, type AgentLimits } from './limits.ts';
import type { AgentParts } from './parts.ts';
import { suggestServers } from './suggest.ts';

export interface AgentOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly limits?: Partial<AgentLimits>;
}

export function openAgent(hub: Hub, options: AgentOptions = {}): Promise<Agent> {
  const limits = { ...agentLimits, ...options.limits };
  const agent: AgentParts = {
    hub,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? systemIds,
    limits,
    search: indexedSearch({ hub }),
    suggest: (text) => suggestServers(hub, text, { limit: limits.suggestionsMax }),
  };
  return Promise.resolve({
    // The model SDK is large: loaded with the first turn.
    chat: {
      turn: async (request, given) => (await import('./turn.ts')).runTurn(agent, request, given),
      suggest: ({ text, limit }) => suggestServers(hub, text, limit === undefined ? {} : { limit }),
    },
    configuring: setupAgent(agent),
  });
}
