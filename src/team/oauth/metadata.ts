import { ALWAYS } from '../../api/answer.ts';
import { AUTH_PATH } from '../auth-path.ts';
import { nothingHere } from '../requests.ts';
import type { Team } from '../team.ts';
import { resourcesAt, SCOPES } from './authorization-server.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** Where a host that was refused learns how to sign in (RFC 9728). */
export function resourceMetadataUrl(url: string, path: string): string {
  return `${url}${RESOURCE}${path.startsWith('/sse') ? '/sse' : '/mcp'}`;
}

/** Documents that anybody may read: what hosts need to find our authorization server. */
export async function metadataAt(path: string, request: Request, team: Team): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw nothingHere();
  const { url } = team;
  if (path === RESOURCE || path.startsWith(`${RESOURCE}/`)) {
    const given = `${url}${path.slice(RESOURCE.length)}`;
    const resource = path === RESOURCE ? `${url}/mcp` : resourcesAt(url).find((one) => isUnder(given, one));
    if (resource === undefined) throw nothingHere();
    return document({
      resource,
      authorization_servers: [`${url}${AUTH_PATH}`],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Plugboard',
    });
  }
  // With the issuer's path, and for older hosts without it.
  if (path !== SERVER && path !== `${SERVER}${AUTH_PATH}`) throw nothingHere();
  return await team.people.auth.handler(
    new Request(`${url}${SERVER}${AUTH_PATH}`, { method: request.method }),
  );
}

/** A scope of the gateway, such as one server, is part of the same resource. */
function isUnder(address: string, resource: string): boolean {
  return address === resource || address.startsWith(`${resource}/`);
}

function document(value: object): Response {
  return new Response(JSON.stringify(value), { headers: { ...ALWAYS, 'content-type': 'application/json' } });
}
