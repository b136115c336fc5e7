import { PlugError } from '../base/errors.ts';
import type { ServerDefinition } from '../servers/definition.ts';
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

function keyRefused({ id, endpoint, source }: ServerDefinition): PlugError {
  const headers = Object.entries(endpoint.kind === 'stdio' ? {} : endpoint.headers);
  const [, value = ''] = headers.find(([header]) => header.toLowerCase() === 'authorization') ?? [];
  const [, name] = VAULT.exec(value) ?? [];
  const place = source.file ?? `the definition of ${id}`;
  const mend =
    name === undefined ? `Correct its Authorization header in ${place}` : `plug secrets set ${name}`;
  return new PlugError('sign_in_needed', `${id} does not accept its key (HTTP 401).`, {
    owner: 'you',
    server: id,
    next: `${mend}, then: plug restart ${id}`,
    details: { httpStatus: 401 },
  });
}

const VAULT = /\$\{vault:([^}]+)\}/;
