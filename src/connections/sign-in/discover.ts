import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { messageOf, PlugError } from '../../base/errors.ts';
import { serverFailure } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { AuthorizationServer } from './sign-in.ts';

export interface Discovered {
  readonly metadata: AuthorizationServer;
  /** Nothing is published: its endpoints are those of every server of 2025-03-26, and may not exist. */
  readonly assumed: boolean;
  /** Absent for servers of 2025-03-26, which publish nothing about themselves. */
  readonly resource?: string;
  /** That the resource may need. */
  readonly scopes?: readonly string[];
}

export interface DiscoverOptions {
  readonly server: string;
  readonly url: string;
  readonly resourceMetadataUrl?: URL | undefined;
  /** The only authorization server that may see a machine's credentials. */
  readonly issuer?: string | undefined;
  /** False where no browser is sent there; then it needs no PKCE. */
  readonly hasBrowser?: boolean;
  /** Guarded: it reaches no address that the server itself could not reach. */
  readonly fetch: Fetch;
}

/** Finds the authorization server of a server, and refuses one that breaks the rules. */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { server } = options;
  const resource = await describeResource(options);
  const named = nameOf(resource?.authorization_servers, options);
  const issuer = named ?? new URL('/', options.url).href;
  checkSignInAddress(issuer, 'an authorization server', server);
  const published = await describeServer(options, issuer, named !== undefined);
  const metadata = published ?? defaultsOf(issuer);
  const { hasBrowser = options.issuer === undefined } = options;
  if (hasBrowser) checkPkce(metadata, server);
  if (options.issuer !== undefined && metadata.issuer !== options.issuer) throw anotherIssuer(options);
  for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const address = metadata[field];
    if (typeof address === 'string') checkSignInAddress(address, `an ${field.replace('_', ' ')}`, server);
  }
  return {
    metadata,
    assumed: published === undefined,
    ...(resource ? { resource: resource.resource } : {}),
    ...(resource?.scopes_supported ? { scopes: resource.scopes_supported } : {}),
  };
}

/** The first that the server names, or the one that is required. */
function nameOf(named: readonly string[] | undefined, options: DiscoverOptions): string | undefined {
  const { issuer } = options;
  if (issuer === undefined) return named?.[0];
  // The same issuer is often written with one trailing slash more or less.
  const bare = (text: string): string => text.replace(/\/$/, '');
  if (named && !named.some((each) => bare(each) === bare(issuer))) throw anotherIssuer(options);
  return issuer;
}

function anotherIssuer({ server, issuer }: DiscoverOptions): PlugError {
  const remedy = `Check config.oauth.issuer of ${server}.`;
  return serverFailure('denied', server, `${server} does not belong to ${issuer}: nothing was sent.`, {
    remedy,
  });
}

type Resource = Awaited<ReturnType<typeof discoverOAuthProtectedResourceMetadata>>;

async function describeResource(options: DiscoverOptions): Promise<Resource | undefined> {
  const { url, fetch, server, resourceMetadataUrl } = options;
  const where = resourceMetadataUrl ? { resourceMetadataUrl } : {};
  let resource: Resource;
  try {
    resource = await discoverOAuthProtectedResourceMetadata(url, where, fetch);
  } catch (error) {
    if (error instanceof PlugError) throw error;
    // None is published: a server of 2025-03-26 is its own authorization server.
    return undefined;
  }
  const requestedResource = resourceUrlFromServerUrl(url);
  if (checkResourceAllowed({ requestedResource, configuredResource: resource.resource })) return resource;
  const message = `${server} claims to be ${resource.resource}, which is not where it was found.`;
  throw serverFailure('denied', server, message);
}

async function describeServer(
  { fetch, server }: DiscoverOptions,
  issuer: string,
  named: boolean,
): Promise<AuthorizationServer | undefined> {
  let metadata: Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>;
  try {
    metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  } catch (error) {
    if (error instanceof PlugError) throw error;
    const message = `The authorization server of ${server} cannot be used: ${messageOf(error)}`;
    throw serverFailure('protocol_error', server, message, { cause: error });
  }
  // The SDK's schemas checked that the fields we use are there.
  if (metadata) return metadata as unknown as AuthorizationServer;
  if (named) {
    const message = `The authorization server ${issuer} of ${server} describes itself nowhere.`;
    throw serverFailure('protocol_error', server, message);
  }
  return undefined;
}

/** Servers of 2025-03-26 without metadata have fixed endpoints. */
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

/** A client must refuse a server that does not announce PKCE S256 (specification). */
function checkPkce(metadata: AuthorizationServer, server: string): void {
  const methods = metadata['code_challenge_methods_supported'];
  if (Array.isArray(methods) && methods.includes('S256')) return;
  const message = `The authorization server of ${server} does not protect sign-ins with PKCE S256.`;
  throw serverFailure('denied', server, message, { remedy: 'Use a key instead, if the server offers one.' });
}
