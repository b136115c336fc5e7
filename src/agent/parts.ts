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

/** What any conversation with a model needs for one turn, whatever its tools are. */
export interface LoopParts extends Pick<AgentParts, 'clock' | 'ids' | 'limits'> {
  readonly view: ModelView;
  readonly events: Events;
  readonly signal: AbortSignal;
  readonly counts: { calls: number };
}

/** What lives as long as one turn of a chat. */
export interface TurnParts extends AgentParts, LoopParts {
  readonly request: ChatRequest;
  readonly surface: ChatSurface;
  /** Calls that wanted an approval which nobody could give. */
  readonly refused: ErrorView[];
}
