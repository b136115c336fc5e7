import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { metadataClient, type MetadataClientOptions } from './metadata-fetch.ts';

/**
 * Whether a server that answered 401 says where people sign in: in its own metadata (RFC 9728), or, like
 * servers of 2025-03-26, by being an authorization server itself. One that does neither wants a key.
 */
export async function findsSignIn(
  options: MetadataClientOptions,
  { url, resourceMetadata }: { readonly url: string; readonly resourceMetadata?: string | undefined },
): Promise<boolean> {
  const client = metadataClient({ ...options, serverUrl: url });
  const named = resourceMetadata !== undefined && URL.canParse(resourceMetadata);
  const where = named ? { resourceMetadataUrl: new URL(resourceMetadata) } : {};
  try {
    const { authorization_servers: servers } = await discoverOAuthProtectedResourceMetadata(
      url,
      where,
      client.fetch,
    );
    if (servers !== undefined && servers.length > 0) return true;
  } catch {
    // None is published, or none that may be read.
  }
  try {
    const origin = new URL('/', url).href;
    return (await discoverAuthorizationServerMetadata(origin, { fetchFn: client.fetch })) !== undefined;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
