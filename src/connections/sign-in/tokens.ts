import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { Limits } from '../../base/limits.ts';
import type { Tokens } from './sign-in.ts';

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
