import type { Clock } from '../base/clock.ts';
import type { ErrorView } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { ToolSearch } from '../gateway/surfaces/parts.ts';
import type { ChatRequest, Hub, ModelView, ServerSuggestion } from '../hub/hub.ts';
import type { ChatSurface } from './chat-surface.ts';
import type { Events } from './events.ts';
import type { AgentLimits } from './limits.ts';

/** What lives as long as the agent. */
export interface AgentParts {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: AgentLimits;
  readonly search: ToolSearch;
  readonly suggest: (text: string) => Promise<readonly ServerSuggestion[]>;
}

/** What lives as long as one turn. */
export interface TurnParts extends AgentParts {
  readonly request: ChatRequest;
  readonly view: ModelView;
  readonly surface: ChatSurface;
  readonly events: Events;
  readonly signal: AbortSignal;
  /** Calls that wanted an approval which nobody could give. */
  readonly refused: ErrorView[];
  readonly counts: { calls: number };
}
