import { OAuthError, OAuthErrorCode, refreshAuthorization } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { signInError } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { methodOf } from './authorize.ts';
import type { SignIn, SignInStore, StoredSignIn, Tokens } from './sign-in.ts';
import { toTokens } from './tokens.ts';

export interface TokenKeeperOptions {
  readonly server: string;
  /** Server and account, as the store knows them. */
  readonly key: string;
  readonly store: SignInStore;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}

/**
 * Keeps the tokens of one account fresh, once for all processes: whoever refreshes says so in
 * the store first, the others wait for the outcome, and a new token is saved before it is used.
 */
export class TokenKeeper {
  readonly #options: TokenKeeperOptions;
  readonly #me: string;
  #known: StoredSignIn | undefined;
  #refreshing: Promise<Tokens> | undefined;

  constructor(options: TokenKeeperOptions) {
    this.#options = options;
    this.#me = options.ids.next('refresher');
  }

  /** A token to send now, refreshed early; undefined when nobody has signed in. */
  async token(): Promise<string | undefined> {
    const { clock, limits } = this.#options;
    const known = this.#known?.signIn.tokens ?? (await this.#read())?.signIn.tokens;
    if (!known) return undefined;
    const left = (known.expiresAt ?? Infinity) - clock.now();
    if (left > limits.tokenSkewMs) return known.access;
    if (!known.refresh) return left > 0 ? known.access : undefined;
    try {
      return (await this.renew(known.access)).access;
    } catch (error) {
      // A token that still lives outlives a moment without network.
      if (left > 0 && error instanceof PlugError && error.code !== 'sign_in_needed') return known.access;
      throw error;
    }
  }

  /** Replaces a token that the server no longer takes. Any number of callers, one request. */
  renew(stale: string): Promise<Tokens> {
    this.#refreshing ??= this.#renew(stale).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** After a sign-in elsewhere: the next token comes from the store. */
  forget(): void {
    this.#known = undefined;
  }

  async #renew(stale: string): Promise<Tokens> {
    const { clock, limits, server } = this.#options;
    const giveUp = clock.monotonic() + limits.refreshWaitMs;
    while (clock.monotonic() < giveUp) {
      const stored = await this.#read();
      const tokens = stored?.signIn.tokens;
      if (!stored || !tokens) throw signInError(server, 401);
      if (tokens.access !== stale) return tokens;
      if (!tokens.refresh) throw signInError(server, 401);
      const { refreshing } = stored.signIn;
      const busy = refreshing && refreshing.until > clock.now() && refreshing.by !== this.#me;
      if (!busy && (await this.#claim(stored))) {
        const fresh = await this.#refresh(tokens.refresh);
        if (fresh) return fresh;
        continue;
      }
      await clock.sleep(limits.refreshPollMs);
    }
    throw new PlugError(
      'unavailable',
      `Another program has been renewing the sign-in at ${server} for too long.`,
      {
        owner: 'plugboard',
        server,
        next: `plug auth ${server}`,
      },
    );
  }

  #claim({ signIn, version }: StoredSignIn): Promise<boolean> {
    const { store, key, clock, limits } = this.#options;
    const refreshing = { by: this.#me, until: clock.now() + limits.refreshLeaseMs };
    return store.save(key, { ...signIn, refreshing }, version);
  }

  /** Undefined when the winner was somebody else after all, and the store has to be read again. */
  async #refresh(refreshToken: string): Promise<Tokens | undefined> {
    const { fetch, server } = this.#options;
    const claimed = await this.#read();
    if (!claimed || claimed.signIn.tokens?.refresh !== refreshToken) return undefined;
    const { signIn } = claimed;
    const { client, metadata, resource } = signIn;
    try {
      const answer = await refreshAuthorization(metadata.issuer, {
        metadata: metadata as never, // checked when the person signed in
        clientInformation: {
          client_id: client.id,
          ...(client.secret ? { client_secret: client.secret } : {}),
          ...methodOf(client),
        },
        refreshToken,
        ...(resource ? { resource } : {}),
        fetchFn: fetch,
      });
      const tokens = { refresh: refreshToken, ...toTokens(answer, this.#options.clock, signIn.scope) };
      return (await this.#keep(claimed, tokens)) ? tokens : undefined;
    } catch (error) {
      if (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant) {
        return this.#rejected(claimed, refreshToken);
      }
      await this.#release(claimed);
      if (error instanceof PlugError) throw error;
      throw new PlugError('unreachable', `The sign-in at ${server} could not be renewed just now.`, {
        owner: 'network',
        server,
        cause: error,
      });
    }
  }

  /** Our token may be old news: only when the store has no newer one is the sign-in over. */
  async #rejected(claimed: StoredSignIn, refreshToken: string): Promise<undefined> {
    const { server } = this.#options;
    const now = await this.#read();
    if (now?.signIn.tokens && now.signIn.tokens.refresh !== refreshToken) return undefined;
    const { tokens: _over, refreshing: _done, ...signedOut } = claimed.signIn;
    await this.#save(signedOut, now?.version ?? claimed.version);
    throw signInError(server, 401);
  }

  async #keep(claimed: StoredSignIn, tokens: Tokens): Promise<boolean> {
    const { refreshing: _done, ...signIn } = claimed.signIn;
    return this.#save({ ...signIn, tokens }, claimed.version);
  }

  async #release(claimed: StoredSignIn): Promise<void> {
    const { refreshing: _done, ...signIn } = claimed.signIn;
    await this.#save(signIn, claimed.version);
  }

  async #save(signIn: SignIn, replaces: number): Promise<boolean> {
    const { store, key } = this.#options;
    const saved = await store.save(key, signIn, replaces);
    await this.#read();
    return saved;
  }

  async #read(): Promise<StoredSignIn | undefined> {
    this.#known = await this.#options.store.get(this.#options.key);
    return this.#known;
  }
}
