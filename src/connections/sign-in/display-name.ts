import type { Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';

/**
 * What the authorization server calls the person, for “Connected as …”: from the ID token that came
 * with the sign-in, else from its userinfo endpoint. It is a courtesy: without it all still works.
 */
export async function displayNameOf(
  signIn: SignIn,
  idToken: string | undefined,
  options: { readonly fetch: Fetch; readonly clock: Clock; readonly limits: Limits },
): Promise<string | undefined> {
  const claims = claimsIn(idToken, signIn) ?? (await askUserInfo(signIn, options.fetch));
  return claims && nameIn(claims, options.limits);
}

type Claims = Readonly<Record<string, unknown>>;

/** It came straight from the token endpoint, so its signature need not be checked (OpenID Core §3.1.3.7). */
function claimsIn(idToken: string | undefined, { issuer, client }: SignIn): Claims | undefined {
  const [, payload = ''] = idToken?.split('.') ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims) || claims['iss'] !== issuer) return undefined;
    const audience = claims['aud'];
    const ours = Array.isArray(audience) ? audience.includes(client.id) : audience === client.id;
    return ours && nameIn(claims) !== undefined ? claims : undefined;
  } catch {
    return undefined; // there is none, or it is no JWT
  }
}

async function askUserInfo({ metadata, tokens }: SignIn, fetch: Fetch): Promise<Claims | undefined> {
  const address = metadata['userinfo_endpoint'];
  if (typeof address !== 'string' || !tokens) return undefined;
  try {
    const url = checkSignInAddress(address, 'a userinfo endpoint', metadata.issuer);
    // The token goes to whoever issued it, and to no other place that the metadata may name.
    if (url.origin !== new URL(metadata.issuer).origin) return undefined;
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${tokens.access}`, accept: 'application/json' },
      redirect: 'error',
    });
    const claims: unknown = response.ok ? await response.json() : undefined;
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined; // the name is a courtesy
  }
}

function nameIn(claims: Claims, limits?: Limits): string | undefined {
  for (const field of ['preferred_username', 'email', 'name', 'nickname', 'login']) {
    const value = claims[field];
    // What is shown beside our own words must not be able to redraw them.
    const clean = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '';
    if (clean !== '') return clean.slice(0, limits?.displayNameCharsMax);
  }
  return undefined;
}
