import { replaceKey } from './causes/edit-server.ts';
import { causeContext } from './causes/known-causes.ts';
import { PlugError } from '../base/errors.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import type { Fetch } from './http/capped-fetch.ts';

/**
 * For a server whose definition holds its own Authorization header. When it turns us away, that key
 * is what is wrong: nobody can sign in beside it.
 */
export function withOwnKey(fetch: Fetch, definition: ServerDefinition): Fetch {
  return async (input, init, hooks) => {
    const response = await fetch(input, init, hooks);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    throw keyRefused(definition);
  };
}

/**
 * Whether requests carry the token of an account. A header of the user's own is their way in: no
 * sign-in is put beside it. A local server and a WebSocket are shown no token.
 */
export function takesAccount(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'stdio' || endpoint.kind === 'ws') return false;
  for (const name in endpoint.headers) if (name.toLowerCase() === 'authorization') return false;
  return true;
}

function keyRefused(definition: ServerDefinition): PlugError {
  const { id } = definition;
  return new PlugError('sign_in_needed', `${id} does not accept its key (HTTP 401).`, {
    owner: 'you',
    server: id,
    remedy: replaceKey(causeContext(definition)),
    details: { httpStatus: 401 },
  });
}
