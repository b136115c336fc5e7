import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import type { TokenKeeper } from './token-keeper.ts';

/**
 * Counts how often a server was given the rights that it wanted. One that wants the same again and
 * again would send people to the browser for ever: after a few times its no is final.
 */
export class StepUps {
  readonly #counts = new Map<string, number>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** To be called when a person is about to be asked. */
  begin(server: string, key: string, challenge: Challenge | undefined): void {
    if (challenge?.kind !== 'scope') return;
    if (this.#isOver(key, challenge)) throw final(server, challenge);
    const id = idOf(key, challenge);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** The error for a server that wants more: to be asked for, or for good. */
  errorFor(server: string, key: string, challenge: Challenge): PlugError {
    if (this.#isOver(key, challenge)) return final(server, challenge);
    const { scope } = challenge;
    return new PlugError('sign_in_needed', `${server} wants more rights for this${namesOf(challenge)}.`, {
      owner: 'you',
      server,
      remedy: { do: 'sign-in', server },
      details: { httpStatus: 403, ...(scope ? { scope } : {}) },
    });
  }

  /** Whoever signed out starts anew. */
  forget(key: string): void {
    for (const id of this.#counts.keys()) if (id.startsWith(`${key}\n`)) this.#counts.delete(id);
  }

  #isOver(key: string, challenge: Challenge): boolean {
    const { stepUpsMax, stepUpScopesMax } = this.#limits;
    const count = this.#counts.get(idOf(key, challenge));
    return count === undefined ? this.#counts.size >= stepUpScopesMax : count >= stepUpsMax;
  }
}

function idOf(key: string, { scope = '' }: Challenge): string {
  return `${key}\n${scope.split(/\s+/).toSorted().join(' ')}`;
}

function final(server: string, challenge: Challenge): PlugError {
  return new PlugError(
    'denied',
    `${server} was given what it asked for${namesOf(challenge)}, and refuses this all the same. Use another account, or sign out and start over.`,
    {
      owner: 'server',
      server,
      remedy: { do: 'sign-out', server },
      details: { httpStatus: 403 },
    },
  );
}

function namesOf({ scope }: Challenge): string {
  return scope ? ` (${scope.slice(0, 200)})` : '';
}

interface AuthorizedFetchOptions {
  readonly fetch: Fetch;
  readonly keeper: Pick<TokenKeeper, 'ready' | 'token' | 'renew' | 'refused' | 'identity'>;
  /** Whose token it must be: what one person began is not carried on with another's. */
  readonly identity: string | undefined;
  /** The error for a token of somebody else. */
  readonly otherPerson: () => PlugError;
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
  const { fetch, keeper, onChallenge, identity } = options;
  return async (input, init, hooks) => {
    const token = keeper.ready ?? (await keeper.token());
    if (keeper.identity !== identity) throw options.otherPerson();
    const response = await fetch(input, withBearer(init, token), hooks);
    const challenge = challengeOf(response);
    if (!challenge) return response;
    onChallenge(challenge);
    await response.body?.cancel();
    if (challenge.kind === 'scope') throw options.moreRights(challenge);
    if (token === undefined) throw keeper.refused();
    const renewed = await keeper.renew(token);
    if (keeper.identity !== identity) throw options.otherPerson();
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
