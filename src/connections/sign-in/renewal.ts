import {
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { signInError } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { informationOf } from './client-information.ts';
import type { SignIn, Tokens } from './sign-in.ts';

/** How an account gets its next token. */
export interface Renewal {
  /** What is known before the first token; undefined where a person has to sign in first. */
  begin(): Promise<SignIn | undefined>;
  canRenew(signIn: SignIn): boolean;
  /** Asks the authorization server, once. */
  request(signIn: SignIn): Promise<Tokens>;
  /** Nothing that we can do by ourselves will help. */
  refused(cause?: unknown): PlugError;
}

export interface RenewalOptions {
  readonly server: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly limits: Limits;
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

/** Whether the authorization server will say the same next time: the grant or the client is over. */
export function isFinal(error: unknown): boolean {
  return error instanceof OAuthError && FINAL.has(error.code);
}

const FINAL: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

/** An answer of a token endpoint in our words. A nonsensical lifetime counts as unknown. */
export function toTokens(
  answer: OAuthTokens,
  options: { readonly clock: Clock; readonly limits: Limits; readonly scope?: string | undefined },
): Tokens {
  const { clock, limits } = options;
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer;
  const scope = answer.scope ?? options.scope;
  const sane = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return {
    access,
    ...(refresh ? { refresh } : {}),
    ...(sane ? lifetimeOf(seconds * 1000, clock.now(), limits) : {}),
    ...(scope ? { scope } : {}),
  };
}

/** A token that lives for a minute must not be due the moment it comes. */
function lifetimeOf(ms: number, now: number, limits: Limits): Pick<Tokens, 'expiresAt' | 'renewAt'> {
  return { expiresAt: now + ms, renewAt: now + ms - Math.min(limits.tokenSkewMs, ms / 4) };
}
