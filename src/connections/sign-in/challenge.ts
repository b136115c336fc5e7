import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

export interface Challenge {
  readonly kind: 'sign-in' | 'scope';
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** Undefined when the answer is not a refusal that signing in could mend. */
export function challengeOf(response: Response): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  if (response.status === 403 && error !== 'insufficient_scope') return undefined;
  return {
    kind: response.status === 403 ? 'scope' : 'sign-in',
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    ...(scope ? { scope } : {}),
  };
}
