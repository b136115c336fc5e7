import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { AuthorizationServer } from './sign-in.ts';

export interface Discovered {
  readonly metadata: AuthorizationServer;
  /** Absent for servers of 2025-03-26, which publish nothing about themselves. */
  readonly resource?: string;
  /** What the resource says it may need. */
  readonly scopes?: readonly string[];
}

export interface DiscoverOptions {
  readonly server: string;
  readonly url: string;
  readonly resourceMetadataUrl?: URL | undefined;
  /** The only authorization server that may be used: a machine's credentials belong to it. */
  readonly issuer?: string | undefined;
  /** Guarded: it reaches no address that the server itself could not have. */
  readonly fetch: Fetch;
}

/** Finds out who signs people in for a server, and refuses whoever does not play by the rules. */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { server } = options;
  const resource = await describeResource(options);
  const named = nameOf(resource?.authorization_servers, options);
  const issuer = named ?? new URL('/', options.url).href;
  checkSignInAddress(issuer, 'an authorization server', server);
  const metadata = await describeServer(options, issuer, named !== undefined);
  if (options.issuer === undefined) checkPkce(metadata, server);
  else if (metadata.issuer !== options.issuer) throw anotherIssuer(options);
  for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const address = metadata[field];
    if (typeof address === 'string') checkSignInAddress(address, `an ${field.replace('_', ' ')}`, server);
  }
  return {
    metadata,
    ...(resource ? { resource: resource.resource } : {}),
    ...(resource?.scopes_supported ? { scopes: resource.scopes_supported } : {}),
  };
}

/** The first that the server names; where only one will do, that one or none. */
function nameOf(named: readonly string[] | undefined, options: DiscoverOptions): string | undefined {
  const { issuer } = options;
  if (issuer === undefined) return named?.[0];
  // One trailing slash more or less is how the same issuer is usually misspelt.
  const bare = (text: string): string => text.replace(/\/$/, '');
  if (named && !named.some((each) => bare(each) === bare(issuer))) throw anotherIssuer(options);
  return issuer;
}

function anotherIssuer({ server, issuer }: DiscoverOptions): PlugError {
  return new PlugError('denied', `${server} does not belong to ${issuer}: nothing was sent.`, {
    owner: 'server',
    server,
    remedy: `Check config.oauth.issuer of ${server}.`,
  });
}

type Resource = Awaited<ReturnType<typeof discoverOAuthProtectedResourceMetadata>>;

async function describeResource(options: DiscoverOptions): Promise<Resource | undefined> {
  const { url, fetch, server, resourceMetadataUrl } = options;
  let resource: Resource;
  try {
    resource = await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl ? { resourceMetadataUrl } : {},
      fetch,
    );
  } catch (error) {
    if (error instanceof PlugError) throw error;
    // None is published: a server of 2025-03-26 is its own authorization server.
    return undefined;
  }
  const requestedResource = resourceUrlFromServerUrl(url);
  if (checkResourceAllowed({ requestedResource, configuredResource: resource.resource })) return resource;
  throw new PlugError(
    'denied',
    `${server} claims to be ${resource.resource}, which is not where it was found.`,
    {
      owner: 'server',
      server,
    },
  );
}

async function describeServer(
  { fetch, server }: DiscoverOptions,
  issuer: string,
  named: boolean,
): Promise<AuthorizationServer> {
  let metadata: Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>;
  try {
    metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw new PlugError(
      'protocol_error',
      `The authorization server of ${server} cannot be used: ${messageOf(error)}`,
      {
        owner: 'server',
        server,
        cause: error,
      },
    );
  }
  // The SDK's schemas checked that the fields we use are there.
  if (metadata) return metadata as unknown as AuthorizationServer;
  if (named) {
    throw new PlugError(
      'protocol_error',
      `The authorization server ${issuer} of ${server} describes itself nowhere.`,
      {
        owner: 'server',
        server,
      },
    );
  }
  return defaultsOf(issuer);
}

/** Servers of 2025-03-26 without metadata have their endpoints at fixed places. */
function defaultsOf(issuer: string): AuthorizationServer {
  const at = (path: string): string => new URL(path, issuer).href;
  return {
    issuer,
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    registration_endpoint: at('/register'),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** The specification says that a client must refuse a server that does not announce PKCE S256. */
function checkPkce(metadata: AuthorizationServer, server: string): void {
  const methods = metadata['code_challenge_methods_supported'];
  if (Array.isArray(methods) && methods.includes('S256')) return;
  throw new PlugError(
    'denied',
    `The authorization server of ${server} does not protect sign-ins with PKCE S256.`,
    {
      owner: 'server',
      server,
      remedy: 'Use a key instead, if the server offers one.',
    },
  );
}
