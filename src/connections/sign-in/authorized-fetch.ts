import { PlugError } from '../../base/errors.ts';
import { signInError } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { challengeOf, type Challenge } from './challenge.ts';
import type { TokenKeeper } from './token-keeper.ts';

export interface AuthorizedFetchOptions {
  readonly server: string;
  readonly fetch: Fetch;
  readonly keeper: TokenKeeper;
  /** What the server said last when it turned us away: a sign-in starts from it. */
  readonly onChallenge: (challenge: Challenge) => void;
}

/**
 * Sends the account's token with every request, in the header and nowhere else. A token that the
 * server rejects is renewed once; what only a person can mend ends as `sign_in_needed`.
 */
export function withSignIn({ server, fetch, keeper, onChallenge }: AuthorizedFetchOptions): Fetch {
  return async (input, init) => {
    const token = await keeper.token();
    const response = await fetch(input, withBearer(init, token));
    const challenge = challengeOf(response);
    if (!challenge) return response;
    onChallenge(challenge);
    await response.body?.cancel();
    if (challenge.kind === 'scope') throw moreScope(server, challenge);
    if (token === undefined) throw signInError(server, 401);
    const renewed = await keeper.renew(token);
    const second = await fetch(input, withBearer(init, renewed.access));
    const again = challengeOf(second);
    if (!again) return second;
    onChallenge(again);
    await second.body?.cancel();
    throw again.kind === 'scope' ? moreScope(server, again) : signInError(server, 401);
  };
}

function withBearer(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function moreScope(server: string, { scope }: Challenge): PlugError {
  const what = scope ? ` (${scope.slice(0, 200)})` : '';
  return new PlugError('sign_in_needed', `${server} wants more rights for this${what}.`, {
    owner: 'you',
    server,
    next: `plug auth ${server}`,
    details: { httpStatus: 403, ...(scope ? { scope } : {}) },
  });
}
