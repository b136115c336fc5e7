import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { serverFailure } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import type { TokenKeeper } from './token-keeper.ts';

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

/** Counts how often a server was granted a scope: one that asks again and again is refused after a few times. */
export class StepUps {
  readonly #counts = new Map<string, number>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Call it before a person is asked. */
  begin(server: string, key: string, challenge: Challenge | undefined): void {
    if (challenge?.kind !== 'scope') return;
    if (this.#isOver(key, challenge)) throw final(server, challenge);
    const id = idOf(key, challenge);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** For a server that wants more rights: to be asked for, or for good. */
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

  /** After a sign-out the count starts anew. */
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
  const message = `${server} was given what it asked for${namesOf(challenge)}, and refuses this all the same. Use another account, or sign out and start over.`;
  return serverFailure('denied', server, message, {
    remedy: { do: 'sign-out', server },
    details: { httpStatus: 403 },
  });
}

function namesOf({ scope }: Challenge): string {
  return scope ? ` (${scope.slice(0, 200)})` : '';
}

interface AuthorizedFetchOptions {
  readonly fetch: Fetch;
  readonly keeper: Pick<TokenKeeper, 'ready' | 'token' | 'renew' | 'refused' | 'identity' | 'forget'>;
  /** A session is not carried on with another person's token. */
  readonly identity: string | undefined;
  readonly otherPerson: () => PlugError;
  /** The next sign-in starts from it. */
  readonly onChallenge: (challenge: Challenge) => void;
  readonly moreRights: (challenge: Challenge) => PlugError;
  /** Why a request without a token was turned away. */
  readonly unknownPerson: (challenge: Challenge) => Promise<PlugError>;
}

/** Sends the account's token in the header, and nowhere else. A rejected token is renewed once. */
export function withSignIn(options: AuthorizedFetchOptions): Fetch {
  const { fetch, keeper, onChallenge, identity, unknownPerson } = options;
  return async (input, init, hooks) => {
    let token = keeper.ready ?? (await keeper.token());
    for (let isRetry = false; ; isRetry = true) {
      if (keeper.identity !== identity) throw options.otherPerson();
      const sent = token;
      const response = await fetch(input, withBearer(init, sent), hooks);
      const challenge = challengeOf(response);
      if (!challenge) return response;
      onChallenge(challenge);
      await response.body?.cancel();
      if (challenge.kind === 'scope') throw options.moreRights(challenge);
      if (isRetry) throw keeper.refused();
      token = token === undefined ? await signedInMeanwhile(keeper) : (await keeper.renew(token)).access;
      // Now that the server has said how, an identity provider may vouch for the person.
      token ??= await keeper.token();
      if (token === undefined) throw await unknownPerson(challenge);
      if (sent === undefined) continue;
    }
  };
}

/** By another process: a missing sign-in is remembered for a moment. */
function signedInMeanwhile(keeper: Pick<TokenKeeper, 'forget' | 'token'>): Promise<string | undefined> {
  keeper.forget();
  return keeper.token();
}

function withBearer(init: RequestInit = {}, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const bearer = `Bearer ${token}`;
  // The transports make new headers for each request; a copy would cost more than all the rest.
  if (init.headers instanceof Headers) {
    init.headers.set('authorization', bearer);
    return init;
  }
  const headers = new Headers(init.headers);
  headers.set('authorization', bearer);
  return { ...init, headers };
}
