import type { PlugError } from '../../base/errors.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { challengeOf, type Challenge } from './challenge.ts';
import type { TokenKeeper } from './token-keeper.ts';

export interface AuthorizedFetchOptions {
  readonly fetch: Fetch;
  readonly keeper: Pick<TokenKeeper, 'ready' | 'token' | 'renew' | 'refused'>;
  /** What the server said last when it turned us away: a sign-in starts from it. */
  readonly onChallenge: (challenge: Challenge) => void;
  /** The error for a server that wants more rights: to be asked for, or for good. */
  readonly moreRights: (challenge: Challenge) => PlugError;
}

/**
 * Sends the account's token with every request, in the header and nowhere else. A token that the
 * server rejects is renewed once; what only a person can mend ends as `sign_in_needed`.
 */
export function withSignIn(options: AuthorizedFetchOptions): Fetch {
  const { fetch, keeper, onChallenge } = options;
  return async (input, init, hooks) => {
    const token = keeper.ready ?? (await keeper.token());
    const response = await fetch(input, withBearer(init, token), hooks);
    const challenge = challengeOf(response);
    if (!challenge) return response;
    onChallenge(challenge);
    await response.body?.cancel();
    if (challenge.kind === 'scope') throw options.moreRights(challenge);
    if (token === undefined) throw keeper.refused();
    const renewed = await keeper.renew(token);
    const second = await fetch(input, withBearer(init, renewed.access), hooks);
    const again = challengeOf(second);
    if (!again) return second;
    onChallenge(again);
    await second.body?.cancel();
    throw again.kind === 'scope' ? options.moreRights(again) : keeper.refused();
  };
}

function withBearer(init: RequestInit = {}, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const bearer = `Bearer ${token}`;
  // The transports make their headers anew for each request, and a copy costs more than all the rest.
  if (init.headers instanceof Headers) {
    init.headers.set('authorization', bearer);
    return init;
  }
  const headers = new Headers(init.headers);
  headers.set('authorization', bearer);
  return { ...init, headers };
}
