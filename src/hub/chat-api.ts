import { PlugError } from '../base/errors.ts';
import type { Agent } from './agent.ts';
import type { Core } from './core.ts';
import type { Hub } from './hub.ts';

/** What talks to models through this face; the agent is loaded by the first turn. */
export function agentApisOf(
  { options }: Pick<Core, 'options'>,
  face: () => Hub,
): Pick<Hub, 'chat' | 'configuring'> {
  let agent: Promise<Agent> | undefined;
  const open = (): Promise<Agent> => {
    if (!options.openAgent) {
      return Promise.reject(
        new PlugError('unsupported', 'This hub talks to no models.', { owner: 'plugboard' }),
      );
    }
    agent ??= options.openAgent(face());
    return agent;
  };
  return {
    chat: {
      turn: async (request, given) => (await open()).turn(request, given),
      suggest: async (request) => (await open()).suggest(request),
    },
    configuring: { turn: async (request, given) => (await open()).configuring.turn(request, given) },
  };
}
