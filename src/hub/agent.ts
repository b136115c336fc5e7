import type { ChatOptions, ChatOutcome, ChatRequest } from './hub.ts';
import type { Implementations } from './operations/table.ts';

/** What talks to models on behalf of one face of the hub: chat, and setting up servers. */
export interface Agent extends Pick<Implementations, 'configuring'> {
  readonly chat: AgentChat;
}

export interface AgentChat extends Pick<Implementations['chat'], 'suggest'> {
  readonly turn: (request: ChatRequest, options: TurnOptions) => Promise<ChatOutcome>;
}

export interface TurnOptions extends ChatOptions {
  /** The host that answers servers just now, in place of the request's. */
  readonly host?: () => string | undefined;
}
