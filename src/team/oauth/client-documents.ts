import { type ClientDiscovery, oauthClientMetadataSchema } from '@better-auth/oauth-provider';
import { registerClientMetadataDocument } from '@better-auth/oauth-provider/internal';
import { APIError } from 'better-auth/api';
import { timeoutSignal, type Clock } from '../../base/clock.ts';
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

async function read(fetch: Fetch, clientId: string): Promise<never> {
  const response = await fetch(clientId, {
    headers: { accept: 'application/json' },
    signal: timeoutSignal(teamLimits.clientDocumentReadMs),
  }).catch(() => undefined);
  if (!response?.ok) throw unusable('cannot be read');
  const text = await response.text().catch(() => '');
  if (text.length > teamLimits.clientDocumentCharsMax) throw unusable('is too long');
  const document = oauthClientMetadataSchema.safeParse(jsonIn(text));
  if (!document.success) throw unusable('is not of its form');
  // It could speak in the name of another.
  if (document.data.client_id !== clientId) throw unusable('names another client');
  const { client_secret: secret, token_endpoint_auth_method: method = 'none' } = document.data;
  if (secret !== undefined || method !== 'none') throw unusable('is not about a public client');
  return document.data as never; // as the library's own schema read it
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
