import {
  type ClientDiscovery,
  type OAuthClient,
  oauthClientMetadataSchema,
} from '@better-auth/oauth-provider';
import { registerClientMetadataDocument } from '@better-auth/oauth-provider/internal';
import { APIError } from 'better-auth/api';
import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import { teamLimits } from '../limits.ts';

/**
 * Clients whose id is the address of a document about them (Client ID Metadata Documents). Their name is as
 * good as the domain that says it: the consent shows that domain.
 */
export function clientDocuments(fetch: Fetch, clock: Clock): ClientDiscovery {
  return {
    id: 'document',
    matches: isDocumentAddress,
    resolve: async (context, clientId, existing) => {
      // Between the steps of one sign-in it does not change.
      const readAt = existing?.updatedAt?.getTime() ?? 0;
      if (existing && clock.now() - readAt < teamLimits.clientDocumentMs) return existing;
      const metadata = await read(fetch, clientId);
      const provider = context.context.getPlugin('oauth-provider');
      if (!provider) return null;
      const { client } = await registerClientMetadataDocument(context, provider.options, {
        metadata,
        clientId,
        clientDiscoveryId: 'document',
        ...(existing ? { existingClient: existing } : {}),
      });
      return client;
    },
    discoveryMetadata: { client_id_metadata_document_supported: true },
  };
}

/** With a path, so that a host as such is no client. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > ADDRESS_CHARS_MAX) return false;
  const url = URL.parse(clientId);
  const isPlain = url?.href === clientId && url.hash === '' && url.username === '' && url.search === '';
  return isPlain && url.pathname !== '/';
}

const ADDRESS_CHARS_MAX = 512;

async function read(fetch: Fetch, clientId: string): Promise<OAuthClient> {
  const document = oauthClientMetadataSchema.safeParse(jsonIn(await textAt(fetch, clientId)));
  if (!document.success) throw unusable('is not of its form');
  // It could speak in the name of another.
  if (document.data.client_id !== clientId) throw unusable('names another client');
  const { client_secret: secret, token_endpoint_auth_method: method = 'none' } = document.data;
  if (secret !== undefined || method !== 'none') throw unusable('is not about a public client');
  return document.data as OAuthClient; // as the library's own schema read it
}

async function textAt(fetch: Fetch, address: string): Promise<string> {
  try {
    const headers = { accept: 'application/json' };
    const signal = timeoutSignal(teamLimits.clientDocumentReadMs);
    const response = await fetch(address, { headers, signal });
    const text = response.ok ? await response.text() : '';
    return text.length <= teamLimits.clientDocumentCharsMax ? text : '';
  } catch (error) {
    throw unusable(`cannot be read: ${messageOf(error)}`);
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function unusable(why: string): APIError {
  return new APIError('BAD_REQUEST', {
    error: 'invalid_client',
    error_description: `the document about this client ${why}`,
  });
}
