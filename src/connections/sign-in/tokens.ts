import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { Tokens } from './sign-in.ts';

/** An answer of a token endpoint in our words. A nonsensical lifetime counts as unknown. */
export function toTokens(answer: OAuthTokens, clock: Clock, scope: string | undefined): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer;
  const granted = answer.scope ?? scope;
  const sane = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return {
    access,
    ...(refresh ? { refresh } : {}),
    ...(sane ? { expiresAt: clock.now() + seconds * 1000 } : {}),
    ...(granted ? { scope: granted } : {}),
  };
}
