import type { ChatOptions, ChatOutcome, ChatRequest } from '../hub/hub.ts';
import { Loop } from './loop.ts';
import type { AgentParts } from './parts.ts';
import { prepareTurn } from './prepare-turn.ts';

/** Lets a model answer the last message of a chat, with the tools of the servers. */
export async function runTurn(
  agent: AgentParts,
  request: ChatRequest,
  options: ChatOptions = {},
): Promise<ChatOutcome> {
  const prepared = await prepareTurn(agent, request, options);
  const outcome = await new Loop(prepared).run();
  return { ...outcome, refused: prepared.turn.refused };
}
