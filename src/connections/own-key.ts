import { replaceKey } from './causes/edit-server.ts';
import { causeContext } from './causes/known-causes.ts';
import { PlugError } from '../base/errors.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import type { Fetch } from './http/capped-fetch.ts';

/** For a definition with its own Authorization header: on a refusal that key is wrong, signing in cannot help. */
export function withOwnKey(fetch: Fetch, definition: ServerDefinition): Fetch {
  return async (input, init, hooks) => {
    const response = await fetch(input, init, hooks);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    const { id } = definition;
    throw new PlugError('sign_in_needed', `${id} does not accept its key (HTTP 401).`, {
      owner: 'you',
      server: id,
      remedy: replaceKey(causeContext(definition)),
      details: { httpStatus: 401 },
    });
  };
}

/** Whether requests carry an account's token: no sign-in is put beside a header of the user's own. */
export function takesAccount(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'stdio' || endpoint.kind === 'ws') return false;
  for (const name in endpoint.headers) if (name.toLowerCase() === 'authorization') return false;
  return true;
}
