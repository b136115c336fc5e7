import { PlugError } from '../../base/errors.ts';
import type { Runtime } from '../limits.ts';
import { isFinal, type Renewal } from './renewal.ts';
import type { SignIn, SignInStore, StoredSignIn, Tokens } from './sign-in.ts';

export interface TokenKeeperOptions extends Runtime {
  readonly server: string;
  /** Server and account in the store. */
  readonly key: string;
  readonly store: SignInStore;
  readonly renewal: Renewal;
}

/**
 * Keeps the tokens of one account fresh, once for all processes: the one that renews claims it in the
 * store first, the others wait for the outcome, and a new token is saved before it is used.
 */
export class TokenKeeper {
  readonly #options: TokenKeeperOptions;
  readonly #me: string;
  #known: StoredSignIn | undefined;
  /** By the monotonic clock: until then a missing sign-in is not looked up again. */
  #absentUntil = 0;
  #renewing: Promise<Tokens> | undefined;
  /** Our own request for a token, from its claim until its outcome is saved. */
  #requesting: Promise<Tokens | undefined> | undefined;
  #closed = false;

  constructor(options: TokenKeeperOptions) {
    this.#options = options;
    this.#me = options.ids.next('refresher');
  }

  /** The usual path of a call, without waiting: the token in hand, if it is not due. */
  get ready(): string | undefined {
    const tokens = this.#known?.signIn.tokens;
    return tokens && !this.#isDue(tokens) ? tokens.access : undefined;
  }

  /** Of the token that was handed out last. */
  get identity(): string | undefined {
    return this.#known?.signIn.identity;
  }

  /** A token to send now, renewed early; undefined without a sign-in. */
  async token(): Promise<string | undefined> {
    const { clock, limits, renewal } = this.#options;
    if (clock.monotonic() < this.#absentUntil) return undefined;
    const stored = this.#known?.signIn.tokens ? this.#known : await this.#read();
    const tokens = stored?.signIn.tokens;
    if (!stored || !tokens) {
      const first = await this.#first(stored);
      // Most servers want no sign-in, and a look at the store would cost each call more than the call.
      if (first === undefined) this.#absentUntil = clock.monotonic() + limits.accountsKeptMs;
      return first;
    }
    if (!this.#isDue(tokens)) return tokens.access;
    const lives = (tokens.expiresAt ?? Infinity) > clock.now();
    if (!renewal.canRenew(stored.signIn)) return lives ? tokens.access : undefined;
    try {
      return (await this.renew(tokens.access)).access;
    } catch (error) {
      // A token that still lives outlives a moment without network.
      if (lives && error instanceof PlugError && error.code !== 'sign_in_needed') return tokens.access;
      throw error;
    }
  }

  /** Replaces a token that the server no longer takes. Any number of callers, one request. */
  renew(stale: string | undefined): Promise<Tokens> {
    this.#renewing ??= this.#renew(stale).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** The server takes no token of this account. */
  refused(): PlugError {
    return this.#options.renewal.refused();
  }

  /** After a sign-in or sign-out elsewhere: the next token comes from the store. */
  forget(): void {
    this.#known = undefined;
    this.#absentUntil = 0;
  }

  /** Waits for a request on its way: the old token is spent there, so dropping the answer signs the person out. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#requesting]);
  }

  /** A machine signs in by itself; a person's account without tokens waits. */
  async #first(stored: StoredSignIn | undefined): Promise<string | undefined> {
    const { renewal, store, key } = this.#options;
    if (stored && !renewal.canRenew(stored.signIn)) return undefined;
    if (!stored) {
      const signIn = await renewal.begin();
      if (!signIn) return undefined;
      await store.save(key, signIn, undefined);
    }
    return (await this.renew(undefined)).access;
  }

  async #renew(rejected: string | undefined): Promise<Tokens> {
    const { clock, limits, renewal } = this.#options;
    const giveUp = clock.monotonic() + limits.refreshWaitMs;
    while (clock.monotonic() < giveUp && !this.#closed) {
      const stored = await this.#read();
      if (!stored) throw renewal.refused();
      const { tokens, refreshing } = stored.signIn;
      if (tokens && tokens.access !== rejected && !this.#isDue(tokens)) return tokens;
      if (!renewal.canRenew(stored.signIn)) throw renewal.refused();
      // A longer lease than any was made before the clock was set back.
      const leftMs = (refreshing?.until ?? 0) - clock.now();
      const busy = leftMs > 0 && leftMs <= limits.refreshLeaseMs && refreshing?.by !== this.#me;
      if (!busy && !this.#closed) {
        this.#requesting = this.#claimAndRequest(stored);
        const fresh = await this.#requesting;
        if (fresh) return fresh;
      }
      await clock.sleep(limits.refreshPollMs);
    }
    throw this.#closed ? stopping(this.#options.server) : this.#tooLong();
  }

  /** Undefined when another process was faster, and the store has to be read again. */
  async #claimAndRequest({ signIn, version }: StoredSignIn): Promise<Tokens | undefined> {
    const { store, key, clock, limits } = this.#options;
    const refreshing = { by: this.#me, until: clock.now() + limits.refreshLeaseMs };
    const isOurs = await store.save(key, { ...signIn, refreshing }, version);
    return isOurs ? this.#request(signIn.tokens?.access) : undefined;
  }

  async #request(before: string | undefined): Promise<Tokens | undefined> {
    const { renewal, server } = this.#options;
    const claimed = await this.#read();
    if (claimed?.signIn.refreshing?.by !== this.#me || claimed.signIn.tokens?.access !== before) {
      return undefined;
    }
    let tokens: Tokens;
    try {
      tokens = await renewal.request(claimed.signIn);
    } catch (error) {
      if (isFinal(error)) return this.#over(claimed, error);
      await this.#save(settled(claimed.signIn), claimed.version);
      if (error instanceof PlugError) throw error;
      throw new PlugError('unreachable', `The sign-in at ${server} could not be renewed just now.`, {
        owner: 'network',
        server,
        cause: error,
      });
    }
    return (await this.#keep(claimed, tokens)) ? tokens : undefined;
  }

  /** The sign-in is over only when the store has no newer token. */
  async #over(claimed: StoredSignIn, cause: unknown): Promise<undefined> {
    const now = await this.#read();
    if (!now || now.signIn.tokens?.access !== claimed.signIn.tokens?.access) return undefined;
    const { tokens: _over, ...signedOut } = settled(now.signIn);
    if (!(await this.#save(signedOut, now.version))) return undefined;
    throw this.#options.renewal.refused(cause);
  }

  /** The old refresh token is spent, so these replace any write meanwhile, unless it was a new sign-in. */
  async #keep(claimed: StoredSignIn, tokens: Tokens): Promise<boolean> {
    const before = claimed.signIn.tokens?.access;
    let current: StoredSignIn | undefined = claimed;
    for (let attempt = 0; attempt < this.#options.limits.vaultWriteAttemptsMax; attempt += 1) {
      if (!current || current.signIn.tokens?.access !== before) return false;
      if (await this.#save({ ...settled(current.signIn), tokens }, current.version)) return true;
      current = this.#known;
    }
    return false;
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

  #isDue({ renewAt }: Tokens): boolean {
    return renewAt !== undefined && renewAt <= this.#options.clock.now();
  }

  #tooLong(): PlugError {
    const { server } = this.#options;
    const message = `Another program has been renewing the sign-in at ${server} for too long.`;
    const remedy = { do: 'sign-in', server } as const;
    return new PlugError('unavailable', message, { owner: 'plugboard', server, remedy });
  }
}

function stopping(server: string): PlugError {
  const message = `The sign-in at ${server} is not renewed while the hub stops.`;
  return new PlugError('unavailable', message, { owner: 'you', server });
}

function settled({ refreshing: _done, ...signIn }: SignIn): SignIn {
  return signIn;
}
