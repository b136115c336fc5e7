import type { Fetch } from '../http/capped-fetch.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';

/** Tells the authorization server that a token is no longer wanted (RFC 7009), where it takes that. */
export async function revoke({ metadata, client, tokens }: SignIn, fetch: Fetch): Promise<void> {
  const endpoint = metadata.revocation_endpoint;
  const token = tokens?.refresh ?? tokens?.access;
  if (endpoint === undefined || token === undefined) return;
  const body = new URLSearchParams({
    token,
    token_type_hint: tokens?.refresh ? 'refresh_token' : 'access_token',
    client_id: client.id,
    ...(client.secret ? { client_secret: client.secret } : {}),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const url = checkSignInAddress(endpoint, 'a revocation endpoint', metadata.issuer);
    const response = await fetch(url, { method: 'POST', headers, body: body.toString() });
    await response.body?.cancel();
  } catch {
    // The person is signed out here already; the token ends by itself when it expires.
  }
}
