import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import { causeContext } from '../connections/causes/known-causes.ts';
import type { Endpoint } from '../servers/definition.ts';
import { titleOfValue, type NeededInput } from '../servers/plans/needs.ts';
import type { Core } from './core.ts';
import type { FilledServer } from './try-server.ts';

/**
 * What a 401 or 403 means is found out: a key that was given is wrong, the server lets people sign in
 * (RFC 9728), or it wants a key that nobody gave yet.
 */
export async function refusedAccess(
  core: Core,
  { definition, secrets }: FilledServer,
  why: PlugError,
): Promise<PlugError | 'sign-in'> {
  const { endpoint, id: server, auth, source } = definition;
  const { keyHeader, secret } = causeContext(definition);
  const hasKey = secrets.length > 0 || keyHeader !== undefined || secret !== undefined;
  if (endpoint.kind !== 'stdio' && keyHeader !== undefined && why.details?.['httpStatus'] === 401)
    return keyRefused(why, server);
  if (endpoint.kind === 'stdio' || hasKey || hasAccount(why)) return why;
  if (auth === 'oauth' && why.remedy?.do === 'sign-in') return 'sign-in';
  const access = await accessTo(core, endpoint, source.kind === 'manual');
  if (access?.kind === 'sign-in') return 'sign-in';
  const header = access?.kind === 'key' ? access.header : 'Authorization';
  const needs: readonly NeededInput[] = [{ oneOf: [{ where: 'header', name: header }] }];
  return new PlugError('missing_input', `${server} needs an API key.`, {
    owner: 'you',
    server,
    details: { ...why.details, needs },
    cause: why,
  });
}

/** Whatever the header is called that the key was sent in. */
function keyRefused(why: PlugError, server: string): PlugError {
  const { code, owner, details, remedy } = why;
  const more = { server, details: { ...details }, remedy, cause: why };
  return new PlugError(code, `${server} does not accept its key (HTTP 401).`, { owner, ...defined(more) });
}

/** More rights for an account that is signed in, or one that is not let in. */
function hasAccount({ details }: PlugError): boolean {
  return details?.['scope'] !== undefined;
}

async function accessTo(core: Core, endpoint: Exclude<Endpoint, { kind: 'stdio' }>, own: boolean) {
  if (endpoint.kind === 'ws' || endpoint.url.includes('${')) return undefined;
  const { outgoing, access } = await core.planParts();
  return access(endpoint.url, { fetch: own ? outgoing.open : outgoing.guarded });
}

/** “Figma API key or Figma OAuth token, and Team id”. */
export function neededTitles(needs: readonly NeededInput[]): string {
  const each = needs.map(({ oneOf }) => oneOf.map(titleOfValue).join(' or '));
  return each.length > 1 ? `${each.slice(0, -1).join(', ')} and ${each.at(-1)}` : (each[0] ?? '');
}
