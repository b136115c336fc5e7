import { PlugError } from '../base/errors.ts';
import type { Core } from './core.ts';
import type { ChatApi, Hub } from './hub.ts';

/** Chat through this face; the agent that talks to the model is loaded by the first turn. */
export function chatOf({ options }: Pick<Core, 'options'>, face: () => Hub): ChatApi {
  let agent: Promise<ChatApi> | undefined;
  const open = (): Promise<ChatApi> => {
    if (!options.openAgent) {
      return Promise.reject(
        new PlugError('unsupported', 'This hub talks to no models.', { owner: 'plugboard' }),
      );
    }
    agent ??= options.openAgent(face());
    return agent;
  };
  return {
    turn: async (request, given) => (await open()).turn(request, given),
    suggest: async (request) => (await open()).suggest(request),
  };
}
