import {
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import type { PlugError } from '../../base/errors.ts';
import { signInError } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import type { Bounds } from '../limits.ts';
import { informationOf } from './client-information.ts';
import type { SignIn, Tokens } from './sign-in.ts';

/** How an account gets its next token. */
export interface Renewal {
  /** The sign-in before its first token; undefined where a person has to sign in first. */
  begin(): Promise<SignIn | undefined>;
  canRenew(signIn: SignIn): boolean;
  /** Asks the authorization server, once. */
  request(signIn: SignIn): Promise<Tokens>;
  /** Nothing that we can do will help. */
  refused(cause?: unknown): PlugError;
}

export interface RenewalOptions extends Bounds {
  readonly server: string;
  readonly fetch: Fetch;
}

/** A person's sign-in lives on with its refresh token. */
export function refreshToken({ server, fetch, clock, limits }: RenewalOptions): Renewal {
  return {
    begin: () => Promise.resolve(undefined),
    canRenew: ({ tokens }) => tokens?.refresh !== undefined,
    request: async ({ metadata, client, resource, scope, tokens }) => {
      const refresh = tokens?.refresh ?? '';
      const answer = await refreshAuthorization(metadata.issuer, {
        metadata: metadata as never, // checked when the person signed in
        clientInformation: informationOf(client),
        refreshToken: refresh,
        ...(resource ? { resource } : {}),
        fetchFn: fetch,
      });
      return { refresh, ...toTokens(answer, { clock, limits, scope: tokens?.scope ?? scope }) };
    },
    refused: () => signInError(server, 401),
  };
}

/** The grant or the client is over, so the answer would be the same next time. */
export function isFinal(error: unknown): boolean {
  return error instanceof OAuthError && FINAL.has(error.code);
}

const FINAL: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

/** Reads the answer of a token endpoint. A nonsensical lifetime counts as unknown. */
export function toTokens(
  answer: OAuthTokens,
  { clock, limits, scope: asked }: Bounds & { readonly scope?: string | undefined },
): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer;
  const scope = answer.scope ?? asked;
  const sane = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return {
    access,
    ...(refresh ? { refresh } : {}),
    ...(sane ? lifetimeOf(seconds * 1000, { clock, limits }) : {}),
    ...(scope ? { scope } : {}),
  };
}

/** A token that lives for a minute must not be due the moment it comes. */
function lifetimeOf(ms: number, { clock, limits }: Bounds): Pick<Tokens, 'expiresAt' | 'renewAt'> {
  const expiresAt = clock.now() + ms;
  return { expiresAt, renewAt: expiresAt - Math.min(limits.tokenSkewMs, ms / 4) };
}
